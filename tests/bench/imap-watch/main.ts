/**
 * Benchmark of the resident memory of one idle watched mailbox. Compares with a bare imapflow connection that idles
 * over TLS with the same secure context. Each kind runs in a separate process, over Dovecots with a Unix user per
 * mailbox.
 */
import * as Dovecot from "#support/peers/Dovecot.ts"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { figure, type Figure } from "../Figure.ts"

/**
 * `servers`: Dovecots; `mailboxes`: mailboxes on each. Reason: a default Dovecot accepts 100 TLS connections, and 180
 * in all are far above the noise of the heap.
 */
const servers = 2
const mailboxes = 90

/** Largest cost of a watched mailbox, as a share of an imapflow connection. */
const target = 0.6

export const run = (): Promise<ReadonlyArray<Figure>> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const floor = yield* measured("imapflow")
      const row = (name: string, value: number) => [
        figure(`imap-watch ${name}: resident memory a mailbox`, value, "KB", { floor }),
        figure(`imap-watch ${name}: share of imapflow`, value / floor, "", { target })
      ]
      return [...row("notify", yield* measured("notify")), ...row("idle", yield* measured("idle"))]
    })
  )

/** Memory per connection. Unit: KB. */
const measured = (kind: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const users = Array.from({ length: mailboxes }, (_, index) => ({
        address: `u${index}@example.test`,
        password: "pw"
      }))
      const running = yield* Effect.all(
        Array.from({ length: servers }, () => Effect.tap(Dovecot.make({ users, tls: true }), ({ start }) => start))
      )
      return yield* Effect.promise(() => client(kind, running))
    })
  )

const client = (kind: string, running: ReadonlyArray<Dovecot.Dovecot>): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [
        "--expose-gc",
        `${import.meta.dirname}/Client.ts`,
        kind,
        String(mailboxes),
        ...running.map(({ imapsPort }) => String(imapsPort))
      ],
      {
        env: { ...process.env, CERTIFICATES: JSON.stringify(running.map(({ certificate }) => certificate)) },
        stdio: ["ignore", "pipe", "inherit"]
      }
    )
    let said = ""
    child.stdout.on("data", (bytes) => (said += String(bytes)))
    child.on("error", reject)
    child.on("exit", (code) =>
      code === 0 ? resolve(Number(said)) : reject(new Error(`the ${kind} client ended with ${code}`))
    )
  })
