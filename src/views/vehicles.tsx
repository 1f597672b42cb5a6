import type { Vehicle } from '../api/contract.ts'
import { listVehicles } from '../api/vehicles.ts'
import { text } from '../format.ts'
import { listScreen } from './screen.tsx'
import { dayColumn, idColumn, textColumn } from './ui/columns.tsx'
import { partyName } from './ui/party.ts'

/** S2.h */
export const vehicles = listScreen<Vehicle>({
  path: '/vehicles',
  title: 'Vehicles',
  load: listVehicles,
  record: (vehicle) => `vehicle:${text(vehicle.id)}`,
  commands: [],
  search: { parameter: 's', placeholder: 'Search vehicle by number plate...' },
  empty: 'No vehicles to display',
  columns: [
    idColumn(6, (vehicle) => vehicle.id),
    { ...textColumn('Registration', 11, (vehicle) => vehicle.registration), sort: 'registration' },
    textColumn('Color', 9, (vehicle) => vehicle.color),
    textColumn('Driver', 12, (vehicle) => partyName(vehicle.driver)),
    // S2.h.2: Date added shows the driver's join date.
    dayColumn('Date added', (vehicle) => vehicle.driver?.user?.date_joined, 'The date the driver joined'),
  ],
})
