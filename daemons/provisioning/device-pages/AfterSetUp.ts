/**
 * Shows a person what a new device needs: makes the address of its telephone, seals the accounts for the button of the
 * profile, and renders the page. For requests that accept HTML; programs get the answer as JSON instead.
 */
import { Effect, Redacted } from "effect"
import { transaction } from "#core/sql/Sql.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import { accountsOf, type Answer } from "./Accounts.ts"
import { setUpPage } from "./pages/SetUpPage.ts"
import * as PhoneLinks from "./PhoneLinks.ts"
import * as ProfileTicket from "./ProfileTicket.ts"

export interface NewDevice {
  readonly language: LanguageCode
  readonly answer: Answer
  readonly deviceId: string
  readonly tenantId: number
  /** Extension that the device received; null when it has none. */
  readonly extensionId: number | null
}

/** The page of a device that was just set up. */
export const afterSetUp = Effect.fnUntraced(function* ({
  answer,
  deviceId,
  extensionId,
  language,
  tenantId
}: NewDevice) {
  const accounts = accountsOf(answer)
  const profile = yield* ProfileTicket.seal(
    { device: deviceId, host: new URL(answer.server_url).host, language },
    accounts,
    Date.now()
  )
  const secret =
    extensionId === null
      ? undefined
      : yield* transaction(
          PhoneLinks.create({
            device_id: deviceId,
            tenant_id: tenantId,
            user_id: answer.user.id,
            extension_id: extensionId
          })
        ).pipe(
          // The passwords are shown only now, so the page must not fail.
          Effect.catchTag("SqlError", (error) =>
            Effect.as(Effect.logError(`a device gets no address for its telephone: ${error.message}`), undefined)
          )
        )
  return setUpPage({
    language,
    displayName: answer.user.display_name,
    server: answer.server_url,
    accounts,
    profile,
    phoneAddress: secret === undefined ? undefined : `${answer.server_url}/provision/phone/${Redacted.value(secret)}/`
  })
})
