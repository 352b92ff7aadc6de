/** Sending through a mail server with TLS and sign-in: Dovecot, a submission server, and accounts for each test. */
import { Context, Effect, Layer } from "effect"
import { addAccount, type Placed, startWatcher } from "../Watcher.ts"
import { caller } from "../Mailbox.ts"
import * as SubmissionServer from "./SubmissionServer.ts"

/** A mail-watcher whose accounts send through a submission server of the test. */
export interface Sending extends Placed {
  readonly server: SubmissionServer.SubmissionServer
  /** API calls of a new account. Each test uses its own, because the sending rate per account is limited. */
  readonly account: (
    name: string
  ) => Effect.Effect<(method: string, path: string, body?: unknown, key?: string) => Effect.Effect<any>>
}

export class Place extends Context.Service<Place, Sending>()("test/Place") {
  /** A Dovecot with these mailboxes of example.test, and their accounts. The first one is the default. */
  static readonly layerOf = (names: ReadonlyArray<string>) =>
    Layer.effect(
      Place,
      Effect.gen(function* () {
        const server = yield* SubmissionServer.make
        const placed = yield* startWatcher(
          names.map((name) => `${name}@example.test`),
          { trusted: server.certificate }
        )
        for (const [index, name] of names.entries()) {
          yield* addAccount(placed, {
            address: `${name}@example.test`,
            tenant: 7,
            smtpPort: server.port,
            isDefault: index === 0
          })
        }
        const call = caller(placed)
        return {
          ...placed,
          server,
          account: (name) =>
            Effect.succeed((method, path, body, key) =>
              call(
                method,
                `${path}?account=${name}@example.test`,
                body,
                key === undefined ? {} : { headers: { "idempotency-key": key } }
              )
            )
        }
      })
    )
}

/** Value of a header of a mail, on one line. */
export const header = (raw: string, name: string) =>
  new RegExp(`^${name}: ((?:.*\\r\\n[ \\t])*.*)\\r$`, "im").exec(raw)?.[1]?.replace(/\r\n\s/g, " ")
