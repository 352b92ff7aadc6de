/** Errors of the reconciliation endpoints, besides invalid input and missing permissions. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 409: the transaction is matched or ignored already; undo that first. */
export class AlreadyDecided extends HttpApiError.Problem<AlreadyDecided>()(
  "AlreadyDecided",
  declaration("already_decided", 409, "The transaction is decided already"),
  { ...codeField("already_decided"), reconciliation_status: Schema.String }
) {}

/** 409: nothing was decided about the transaction that could be undone. */
export class NothingToUndo extends HttpApiError.Problem<NothingToUndo>()(
  "NothingToUndo",
  declaration("nothing_to_undo", 409, "No decision can be undone"),
  codeField("nothing_to_undo")
) {}

/**
 * 409: the invoices or the transaction do not allow this. `reason`: `replaced` (a newer statement replaced the
 * transaction), `not_booked` (the bank has not booked it yet), `invoice_not_open`, `more_than_open`,
 * `more_than_transaction`, `wrong_direction` (money that came in settles no credit note), `returned` (undo the returned
 * direct debit first).
 */
export class NotPossible extends HttpApiError.Problem<NotPossible>()(
  "NotPossible",
  declaration("match_not_possible", 409, "The match is not possible"),
  {
    ...codeField("match_not_possible"),
    reason: Schema.Literals([
      "replaced",
      "not_booked",
      "invoice_not_open",
      "more_than_open",
      "more_than_transaction",
      "wrong_direction",
      "returned"
    ]),
    invoice_id: Schema.optionalKey(Schema.String)
  }
) {}

/** 409: the currency of an invoice differs from that of the transaction; send `confirm_currency: true`. */
export class CurrencyDiffers extends HttpApiError.Problem<CurrencyDiffers>()(
  "CurrencyDiffers",
  declaration("currency_differs", 409, "The currencies differ"),
  { ...codeField("currency_differs"), invoice_id: Schema.String, currency: Schema.String }
) {}
