import type { Download, DownloadOptions } from './client.ts'
import { download } from './client.ts'

/** S7.9, S9.11 */
export const exportDrivers = (options: DownloadOptions): Promise<Download> =>
  download('drivers-export-excel/', 'drivers_data.xlsx', options)

/** S7.10, S9.11 */
export const exportCustomers = (options: DownloadOptions): Promise<Download> =>
  download('customers-export-excel/', 'customers_data.xlsx', options)
