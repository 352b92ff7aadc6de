/** A wake-word daemon with users of several tenants, models whose scores are known, and clients of its socket. */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { WebSocket } from "ws"
import { writeWav } from "#core/speech/WavFile.ts"
import { transaction } from "#core/sql/Sql.ts"
import { wakeWord } from "#daemons/wake-word/Daemon.ts"
import { ModelStore } from "#daemons/wake-word/models/Exports.ts"
import { headLayout } from "#protocols/wake-word/Head.ts"
import { writeHead } from "#protocols/wake-word/HeadModel.ts"
import { ownEmbeddingFile } from "#protocols/wake-word/OpenExtractor.ts"
import { ownId } from "#protocols/wake-word/OwnExtractor.ts"
import { makeRandom } from "#protocols/wake-word/Random.ts"
import { until } from "#support/Frame.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import { startSuite, type TestSuite } from "#support/TestSuite.ts"

export const prefix = "/api/v1/wakeword"

export const startWakeWord = (
  options: Omit<Parameters<typeof startSuite>[0], "daemons" | "verifier" | "env"> & {
    readonly env?: Readonly<Record<string, string>>
  } = {}
) =>
  startSuite({
    ...options,
    daemons: [wakeWord],
    verifier: fakeUsers,
    // On a busy machine a training of low priority would hardly get on.
    env: { SIGNALBOX_WAKE_WORD_THREADS: "1", SIGNALBOX_WAKE_WORD_NICENESS: "0", ...options.env }
  })

/** Headers of a user of `tenant` who holds everything, or just `held`. */
export const user = (tenant = 1, held = "*"): Record<string, string> => ({
  authorization: `Bearer user:${tenant}:${held}`
})

/** Calls the API as such a user. */
export const callsOf = (suite: TestSuite, tenant = 1, held = "*") => {
  return (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    suite.call(method, `${prefix}${path}`, {
      headers: { ...user(tenant, held), ...headers },
      ...(body === undefined ? {} : { body })
    })
}

/** Id of the extractor that is built in. */
export const extractorId = ownId(createHash("sha256").update(readFileSync(ownEmbeddingFile)).digest("hex"))

/** Weights whose scores depend on the audio, around `level` (before the sigmoid). */
export const weightsOf = (seed: number, level: number) => {
  const hidden = 4
  const layout = headLayout(hidden)
  const random = makeRandom(seed)
  const values = Float32Array.from({ length: layout.size }, () => random.normal() * 0.05)
  values[layout.last.biases] = level
  return { hidden, values }
}

/** Measurements within the bounds of the gate, or worse. */
export const metrics = (falseAccepts = 0.1): ModelStore.NewModel["metrics"] => ({
  false_accepts_per_hour: falseAccepts,
  miss_rate: 0.01,
  negative_hours: 3,
  false_accepts: 0,
  utterances: 200,
  misses: 2,
  voices: ["de+f1"],
  uploads: 0,
  notes: []
})

/** Stores a model. `level` 4: every step is above the threshold; -4: none is. */
export const addModel = (
  { sql }: TestSuite,
  name: string,
  options: {
    readonly tenant?: number
    readonly level?: number
    readonly seed?: number
    readonly file?: Uint8Array
    readonly falseAccepts?: number
    readonly threshold?: number
  } = {}
) => {
  const word = `word ${name}`
  const threshold = options.threshold ?? 0.5
  const file =
    options.file ??
    writeHead(weightsOf(options.seed ?? 1, options.level ?? 4), {
      word,
      language: "de",
      extractor: extractorId,
      threshold
    })
  return transaction(
    ModelStore.add({
      tenantId: options.tenant ?? 1,
      name,
      word,
      language: "de",
      threshold,
      extractor: extractorId,
      sha256: createHash("sha256").update(file).digest("hex"),
      file,
      seed: null,
      jobId: null,
      metrics: metrics(options.falseAccepts),
      curve: [{ threshold: 0.5, false_accepts_per_hour: 0.1, miss_rate: 0.01 }]
    })
  ).pipe(Effect.provideService(SqlClient.SqlClient, sql), Effect.provideService(PgClient.PgClient, sql))
}

/** Noise of this many seconds: Int16, 16 kHz. */
export const noise = (seconds: number, seed = 7, loud = 4_000): Int16Array => {
  const random = makeRandom(seed)
  return Int16Array.from({ length: Math.round(seconds * 16_000) }, () => Math.round(random.between(-loud, loud)))
}

export const bytesOf = (samples: Int16Array): Buffer =>
  Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)

export const wavOf = (samples: Int16Array, rate = 16_000): Buffer => writeWav(bytesOf(samples), rate)

/** One client of the audio socket. */
export class AudioClient {
  readonly heard: Array<any> = []
  readonly socket: WebSocket
  closed: { readonly code: number; readonly reason: string } | undefined
  /** Status of a handshake that was refused. */
  refused: number | undefined
  opened = false

  constructor(url: string, headers: Record<string, string> = {}) {
    this.socket = new WebSocket(url, { headers })
    this.socket.on("open", () => (this.opened = true))
    this.socket.on("message", (data) => this.heard.push(JSON.parse(String(data))))
    this.socket.on("close", (code, reason) => (this.closed = { code, reason: String(reason) }))
    this.socket.on("unexpected-response", (_, response) => {
      this.refused = response.statusCode
      this.socket.terminate()
    })
    this.socket.on("error", () => undefined)
  }

  send(audio: Int16Array | Buffer | string): void {
    this.socket.send(audio instanceof Int16Array ? bytesOf(audio) : audio)
  }
}

/** Waits until the client is closed, and returns why. */
export const closedOf = (client: AudioClient) =>
  Effect.map(
    until(
      "the socket closes",
      Effect.sync(() => client.closed !== undefined),
      30
    ),
    () => client.closed!
  )

/** Waits until the client has heard `count` wakes. */
export const wakes = (client: AudioClient, count: number) =>
  Effect.map(
    until(
      `${count} wakes`,
      Effect.sync(() => client.heard.length >= count || client.closed !== undefined),
      30
    ),
    () => client.heard
  )

/** Address of the socket with a new ticket. */
export const ticketUrl = (suite: TestSuite, tenant = 1) =>
  Effect.map(callsOf(suite, tenant)("GET", "/status"), ({ json }) => json.websocket_url as string)

/** An open connection with a new ticket. The end of the scope closes it. */
export const listen = Effect.fnUntraced(function* (suite: TestSuite, tenant = 1) {
  const url = yield* ticketUrl(suite, tenant)
  const client = yield* Effect.acquireRelease(
    Effect.sync(() => new AudioClient(url)),
    ({ socket }) => Effect.sync(() => socket.terminate())
  )
  yield* until(
    "the socket opens",
    Effect.sync(() => client.opened),
    30
  )
  return client
})
