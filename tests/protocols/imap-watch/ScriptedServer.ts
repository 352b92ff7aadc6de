/** A scripted IMAP server and a watch of it. */
import type { Login } from "#protocols/imap-watch/Credentials.ts"
import { connect } from "#protocols/imap-watch/WatchConnection.ts"
import type { WatchOptions } from "#protocols/imap-watch/WatchOptions.ts"
import { it } from "@effect/vitest"
import { Duration, Effect, Redacted, type Scope } from "effect"
import { spawnSync } from "node:child_process"
import type { AddressInfo } from "node:net"
import { createSecureContext, createServer } from "node:tls"

/** Key and certificate for 127.0.0.1 in one text. */
const pem = spawnSync(
  "openssl",
  "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 -keyout - -out -".split(
    " "
  ),
  { encoding: "utf8" }
).stdout
const secureContext = createSecureContext({ ca: pem })

const token: Login = {
  _tag: "Sasl",
  mechanism: "OAUTHBEARER",
  response: Redacted.make("dG9rZW4="),
  errorAnswer: "AQ=="
}

/**
 * A scripted server: sends the greeting, then one answer per client line, after `answerAfter` milliseconds. Then sends
 * `more` for as long as the client reads. `TAG` stands for the tag of the line. `heard`: lines from the client.
 */
export const scripted = (
  greeting: string,
  answers: ReadonlyArray<string>,
  {
    answerAfter = 0,
    more,
    ...options
  }: Partial<WatchOptions> & { readonly answerAfter?: number; readonly more?: string } = {}
) =>
  Effect.gen(function* () {
    const heard: Array<string> = []
    const server = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const rest = [...answers]
        const listening = createServer({ key: pem, cert: pem }, (socket) => {
          socket.on("error", () => {}).write(greeting)
          if (more !== undefined) socket.on("drain", () => socket.write(more))
          socket.on("data", (bytes) => {
            heard.push(bytes.toString())
            const answer = rest.shift()?.replaceAll("TAG", bytes.toString().split(" ")[0]!)
            if (answer !== undefined && answerAfter > 0) setTimeout(() => socket.write(answer, "latin1"), answerAfter)
            else if (answer !== undefined) socket.write(answer, "latin1")
          })
        })
        await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve))
        return listening
      }),
      (listening) => Effect.sync(() => listening.close())
    )
    const { port } = server.address() as AddressInfo
    const watching = connect({
      host: "127.0.0.1",
      port,
      secureContext,
      login: token,
      stepTimeout: Duration.seconds(8),
      connectTimeout: Duration.seconds(8),
      ...options
    })
    return { heard, watching }
  })

export const live = (name: string, test: () => Effect.Effect<unknown, unknown, Scope.Scope>) =>
  it.live(name, () => Effect.scoped(Effect.timeout(test(), "15 seconds")), 20_000)
