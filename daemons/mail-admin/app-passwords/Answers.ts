/** Makes the app password of a device when a daemon that sets up devices asks for it. */
import { Effect, Redacted } from "effect"
import { MailAppPassword } from "#core/contracts/Provisioning.ts"
import { Passwords } from "#core/password/Passwords.ts"
import { RequestRefused } from "#core/requests/RequestContract.ts"
import * as Responder from "#core/requests/Responder.ts"
import { transaction } from "#core/sql/Sql.ts"
import { maxAppPasswords, newWithTag } from "./AppPassword.ts"
import * as AppPasswords from "./AppPasswords.ts"

/**
 * Maximum number of attempts to store a password. Reason: an attempt fails only when another device of the mailbox
 * takes the same tag at the same moment.
 */
const attempts = 3

/** Registers the responder. */
export const answers = Effect.flatMap(Passwords, (passwords) =>
  Responder.register({
    request: MailAppPassword,
    answer: Effect.fnUntraced(function* (asked) {
      for (let attempt = 1; attempt <= attempts; attempt++) {
        const mailbox = yield* transaction(AppPasswords.mailboxOf(asked))
        if (mailbox === undefined) return yield* refused("unknown")
        if (mailbox.taken.size >= maxAppPasswords) return yield* refused("too_many")
        const { password, tag } = newWithTag(mailbox.taken)
        // Outside of a transaction, because a hash takes tens of milliseconds.
        const hash = yield* passwords.hash(password)
        const stored = yield* transaction(
          AppPasswords.store(asked, {
            mailboxId: mailbox.mailboxId,
            hash,
            tag,
            deviceName: asked.device_name,
            clientIp: asked.client_ip
          })
        )
        if (stored) return { login: asked.address, password: Redacted.value(password) }
      }
      return yield* refused("unknown")
    })
  })
)

const refused = (reason: string) => new RequestRefused({ type: MailAppPassword.type, reason })
