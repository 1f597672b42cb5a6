import type { Vehicle } from '../api/contract.ts'
import { driver } from '../commands/nouns/driver.ts'
import { vehicle as noun } from '../commands/nouns/vehicle.ts'
import { listScreen } from './screen.tsx'
import { dayColumn, idColumn, partyColumn, textColumn } from './table/columns.tsx'

/** S2.h */
export const vehicles = listScreen<Vehicle>({
  noun,
  title: 'Vehicles',
  empty: 'No vehicles to display',
  columns: [
    idColumn(6, (vehicle) => vehicle.id),
    {
      ...textColumn('registration', 'Registration', 11, (vehicle) => vehicle.registration),
      card: 'name',
      sort: 'registration',
    },
    textColumn('color', 'Color', 9, (vehicle) => vehicle.color),
    partyColumn(driver, 12, (vehicle) => vehicle.driver),
    // S2.h.2: Date added shows the driver's join date.
    dayColumn(
      'date-added',
      'Date added',
      (vehicle) => vehicle.driver?.user?.date_joined,
      'The date the driver joined',
    ),
  ],
})
