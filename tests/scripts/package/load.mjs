// Runs in the machine: `node load.mjs TOKEN`. Raises alarms until /run/load.stop exists, each until it is accepted, and
// receives their webhooks. Prints how many were accepted and which of them never arrived.
import { existsSync } from "node:fs"
import { createServer } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"

const token = process.argv[2]
/** Pause between two alarms. Unit: milliseconds. */
const pause = 100
/** Longest wait for the last webhooks. Unit: milliseconds. */
const patience = 60_000

const received = new Set()
const accepted = []
const sink = createServer((request, response) => {
  received.add(Number(request.url.split("/").at(-1)))
  request.resume().on("end", () => response.end())
})
await new Promise((done) => sink.listen(9000, "127.0.0.1", done))

const raise = async (id) => {
  const response = await fetch("http://127.0.0.1:8080/api/v1/workflows/trigger", {
    method: "POST",
    headers: { "content-type": "application/json", "x-service-token": token, "idempotency-key": `alarm ${id}` },
    body: JSON.stringify({
      event_type: "email.alarm.received",
      payload: {
        email_subject: `INFO:WEBHOOK+http://127.0.0.1:9000/${id}`,
        email_body: `alarm number ${id}`,
        email_from: "device@example.org"
      }
    }),
    signal: AbortSignal.timeout(8_000)
  }).catch(() => undefined)
  await response?.arrayBuffer().catch(() => undefined)
  if (response?.status >= 400 && response.status < 500) throw new Error(`alarm ${id} was answered ${response.status}`)
  return response?.status === 202
}

for (let id = 0; !existsSync("/run/load.stop"); id++) {
  while (!(await raise(id))) await sleep(pause)
  accepted.push(id)
  await sleep(pause)
}
const missing = () => accepted.filter((id) => !received.has(id))
for (const deadline = Date.now() + patience; missing().length > 0 && Date.now() < deadline;) await sleep(pause)
console.log(JSON.stringify({ accepted: accepted.length, missing: missing() }))
process.exit()
