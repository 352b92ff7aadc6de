import { long, shippedTexts } from "#core/words/ShippedTexts.ts"
import { FetchFailed } from "#core/contracts/Bank.ts"
import { momentIn } from "#core/words/TimeZone.ts"
import { onEvent } from "../engine/EventWorkflow.ts"
import { notifyAdmins } from "../steps/NotifyAdmins.ts"

const words = shippedTexts("comm-dispatcher.bank-fetch-failed", {
  en: {
    title: "Bank statements not fetched: {account}",
    body: long(
      "The statements of {iban} cannot be fetched from the bank since {since}. They are not lost; the bank ",
      "delivers them later. The fetch has the reason."
    )
  },
  de: {
    title: "Kontoauszüge nicht abgeholt: {account}",
    body: long(
      "Seit {since} lassen sich die Auszüge von {iban} nicht bei der Bank abholen. Sie gehen nicht verloren; die ",
      "Bank liefert sie später. Der Grund steht beim Abruf."
    )
  }
})

/** Notifies the admins of a tenant when the statements of an account cannot be fetched, once an outage. */
export const bankFetchFailed = onEvent(FetchFailed, {
  name: "bank-fetch-failed",
  title: "Tell the admins of bank statements that cannot be fetched",
  subject: ({ data }) => `${data.iban}: ${data.problem}`,
  steps: [
    notifyAdmins(
      ({ event: { data }, language }) => ({
        type: "bank.fetch.failed",
        category: "payment",
        severity: "error",
        title: words(language).title({ account: data.account }),
        body: words(language).body({ iban: data.iban, since: momentIn(new Date(data.since), language, null) }),
        data: { account_id: data.account_id, fetch_id: data.fetch_id, problem: data.problem, code: data.code }
      }),
      ({ event: { data } }) => [data.since]
    )
  ]
})
