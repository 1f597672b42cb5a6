import type { Vehicle } from '../api/contract.ts'
import { vehicle as noun } from '../commands/nouns/vehicle.ts'
import { listScreen } from './screen.tsx'
import { dayColumn, idColumn, textColumn } from './table/columns.tsx'
import { partyName } from '../commands/party.ts'

/** S2.h */
export const vehicles = listScreen<Vehicle>({
  noun,
  title: 'Vehicles',
  empty: 'No vehicles to display',
  columns: [
    idColumn(6, (vehicle) => vehicle.id),
    {
      ...textColumn('registration', 'Registration', 11, (vehicle) => vehicle.registration),
      sort: 'registration',
    },
    textColumn('color', 'Color', 9, (vehicle) => vehicle.color),
    textColumn('driver', 'Driver', 12, (vehicle) => partyName(vehicle.driver)),
    // S2.h.2: Date added shows the driver's join date.
    dayColumn(
      'date-added',
      'Date added',
      (vehicle) => vehicle.driver?.user?.date_joined,
      'The date the driver joined',
    ),
  ],
})
