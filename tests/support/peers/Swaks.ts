// Sends one message with swaks, a command-line SMTP client, and returns the SMTP transcript.

import { spawn } from "node:child_process"
import { Effect } from "effect"
import { dotStuffed } from "../RawSmtp.ts"
import { availability } from "./install.ts"
import { PeerError } from "./PeerError.ts"

export interface SwaksMessage {
  /** Host name or address of the server. Default 127.0.0.1. */
  readonly server?: string
  readonly port: number
  /** Envelope sender. Also the From header, unless `headers` sets it. */
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly body: string
  /** Headers to add or replace, by name. */
  readonly headers?: Readonly<Record<string, string>>
  /** Additional options of swaks, for example `["--tls"]` or `["--auth-user", "u", "--auth-password", "p"]`. */
  readonly extraArgs?: ReadonlyArray<string>
}

export interface SwaksResult {
  /** True when the server accepted the message. */
  readonly accepted: boolean
  /** Exit code of swaks: 0 sent, 2 no connection, 21 to 29 refused at a step. */
  readonly exitCode: number
  /** Both sides of the SMTP session. */
  readonly transcript: string
}

/** Longest time of one message. Unit: milliseconds. */
const timeout = 30_000

/** Sends one message. A refusal by the server is a result, not an error. */
export const send = (message: SwaksMessage): Effect.Effect<SwaksResult, PeerError> =>
  Effect.suspend(() => {
    const found = availability("swaks")
    return found.available
      ? Effect.promise((signal) => run(found.path, swaksArguments(message), data(message), signal))
      : Effect.fail(new PeerError({ peer: "swaks", reason: "NotInstalled", message: found.reason }))
  })

/**
 * Command line of swaks. The message goes to standard input with `--no-data-fixup`, because swaks would otherwise
 * replace its %TOKENS% and `\\n`.
 */
export const swaksArguments = (message: SwaksMessage): ReadonlyArray<string> => [
  "--server",
  message.server ?? "127.0.0.1",
  "--port",
  String(message.port),
  "--from",
  message.from,
  "--to",
  message.to,
  "--data",
  "-",
  "--no-data-fixup",
  ...(message.extraArgs ?? [])
]

const data = (message: SwaksMessage): string => {
  const headers: Record<string, string> = {
    Date: new Date().toUTCString().replace("GMT", "+0000"),
    From: message.from,
    To: message.to,
    Subject: message.subject,
    "Message-Id": `<${crypto.randomUUID()}@swaks.test>`,
    ...message.headers
  }
  const head = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join("")
  return dotStuffed(`${head}\n${message.body}`)
}

const run = (path: string, args: ReadonlyArray<string>, input: string, signal: AbortSignal): Promise<SwaksResult> =>
  new Promise((resolve, reject) => {
    const child = spawn(path, args, { signal, timeout, stdio: ["pipe", "pipe", "pipe"] })
    let transcript = ""
    child.stdout.on("data", (chunk: Buffer) => (transcript += chunk.toString()))
    child.stderr.on("data", (chunk: Buffer) => (transcript += chunk.toString()))
    child.once("error", reject)
    child.once("close", (code) => resolve({ accepted: code === 0, exitCode: code ?? -1, transcript }))
    child.stdin.on("error", () => {})
    child.stdin.end(input)
  })
