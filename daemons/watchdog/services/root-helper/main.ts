/**
 * The root helper of watchdog. systemd starts it for each connection (Accept=yes), with the connection as standard
 * input and output. It reads one line, carries out one verb, answers and ends. Its instance name has the peer's user id
 * as the kernel told systemd (`NUMBER-PID-UID`, systemd.socket(5)).
 */
import { defaultUnits, items } from "../ServicePatterns.ts"
import { perform } from "./Actions.ts"
import { peerOf, permits } from "./Peer.ts"
import { type Allowed, decode, isRefusal, maxRequest, type Reply } from "./Verbs.ts"

/** Longest wait for the request. Unit: milliseconds. */
const requestTimeout = 5_000

const setting = (name: string) => items(process.env[name] ?? "")

const allowed: Allowed = {
  restartable: [...setting("WATCHDOG_RESTARTABLE"), ...setting("WATCHDOG_CRITICAL")],
  units: setting("WATCHDOG_UNITS").length === 0 ? defaultUnits : setting("WATCHDOG_UNITS")
}

const readLine = (): Promise<string | undefined> =>
  new Promise((resolve) => {
    const chunks: Array<Buffer> = []
    let size = 0
    const timer = setTimeout(() => resolve(undefined), requestTimeout)
    const done = (line: string | undefined) => {
      clearTimeout(timer)
      process.stdin.off("data", onData)
      // Read on, so that the end of the connection is seen.
      process.stdin.resume()
      resolve(line)
    }
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size > maxRequest) return done(undefined)
      chunks.push(chunk)
      if (chunk.includes(10)) done(Buffer.concat(chunks).toString("utf8").split("\n", 1)[0])
    }
    process.stdin.on("data", onData)
    process.stdin.once("end", () => done(undefined))
    process.stdin.once("error", () => done(undefined))
  })

const answer = (reply: Reply) =>
  new Promise<void>((resolve) => process.stdout.write(`${JSON.stringify(reply)}\n`, () => resolve()))

process.stdout.on("error", () => process.exit(0))
const peer = peerOf(process.argv[2] ?? "")
if (!permits(peer, process.env["WATCHDOG_ROOT_CLIENT"] ?? "signalbox")) {
  process.stderr.write(`<4>refused the user id ${peer?.uid ?? "unknown"}\n`)
  process.exit(77)
}
const line = await readLine()
const verb = line === undefined ? undefined : decode(line, allowed)
if (verb === undefined) {
  await answer({ ok: false, code: "bad_request", detail: "no request of one line arrived" })
} else if (isRefusal(verb)) {
  process.stderr.write(`<4>refused: ${verb.detail}\n`)
  await answer({ ok: false, ...verb })
} else {
  if (verb.verb.startsWith("restart")) process.stderr.write(`<5>${JSON.stringify(verb)}\n`)
  const reply = await perform(verb, process.env["SIGNALBOX_CONTAINER_SOCKET"] ?? "/var/run/docker.sock")
  if (verb.verb !== "journal") await answer(reply)
}
process.exit(0)
