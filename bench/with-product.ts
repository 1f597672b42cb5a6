import { inRunFolder } from '../tests/support/run-folder.ts'
import type { Subject } from './server/subjects.ts'
import { startProduct } from './server/subjects.ts'

/** Starts the product, after `prepare` in the temporary folder of the run, and stops it when `measure` has ended in any way. */
export async function withProduct(
  measure: (product: Subject) => Promise<void>,
  prepare = (): Promise<void> => Promise.resolve(),
): Promise<void> {
  await inRunFolder(async () => {
    let product: Subject | null = null
    try {
      await prepare()
      product = await startProduct()
      await measure(product)
    } finally {
      product?.stop()
    }
  })
}
