import { ClearInvoiceBody, MessageAnswer, Problem } from '../../src/api/contract.ts'
import type { Deps, TypedApp } from '../deps.ts'
import { clearInvoice } from '../queries/invoices.ts'
import { answerMutation } from './mutation.ts'

/** S7.22 */
export function registerInvoices(app: TypedApp, deps: Deps): void {
  app.post(
    '/api/v1/oms/invoice/update/',
    { schema: { body: ClearInvoiceBody, response: { 200: MessageAnswer, '4xx': Problem } } },
    (request, reply) =>
      answerMutation(deps, request, reply, (trx) => clearInvoice(trx, request.body.invoice_id, deps.now)),
  )
}
