/**
 * Check of Postfix's queue, by `postqueue -j`, or by counting the files of the queue folder where the program may not
 * read the queue.
 */
import { existsSync } from "node:fs"
import { opendir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { type BuiltCheck, type Reading, type Source } from "../BuiltCheck.ts"
import { say } from "../words/Said.ts"
import { run } from "./Program.ts"

/** Unit: messages. Source: interface document 3 §2.5. */
const limits = { direction: "above", warning: 100, critical: 1_000 } as const

/** Queues of Postfix. Source: qshape(1). */
const queues = ["maildrop", "hold", "incoming", "active", "deferred"] as const

/** Default of queue_directory. Source: postconf(5). */
const usualQueue = "/var/spool/postfix"

/** Maximum number of files that are counted. Reason: the answer is clear long before. */
const maxCounted = 100_000

export type Counts = Readonly<Record<string, number>>

/** Messages by queue, of the output of `postqueue -j`. Pure. Source: postqueue(1). */
export const countQueue = (text: string): Counts => {
  const counts: Record<string, number> = {}
  for (const line of text.split("\n")) {
    const queue = /"queue_name": *"(\w+)"/.exec(line)?.[1]
    if (queue !== undefined) counts[queue] = (counts[queue] ?? 0) + 1
  }
  return counts
}

/** Pure. */
export const judgeQueue = (counts: Counts, truncated = false): Reading => {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const parts = queues.flatMap((queue) => ((counts[queue] ?? 0) > 0 ? [[queue, counts[queue]!] as const] : []))
  return {
    value: total,
    ...say("mail_queue", { messages: total, at_least: truncated, queues: Object.fromEntries(parts) }),
    measurements: Object.fromEntries(queues.map((queue) => [queue, counts[queue] ?? 0]))
  }
}

/** Value of a parameter in main.cf, without $ expressions. Pure. Source: postconf(5). */
export const parameter = (text: string, name: string): string | undefined => {
  const value = new RegExp(`^${name}[ \\t]*=[ \\t]*(.*)$`, "gm").exec(text)?.[1]?.trim()
  return value === undefined || value === "" || value.includes("$") ? undefined : value
}

const countFiles = async (folder: string): Promise<number> => {
  let count = 0
  // Queues are hashed: deferred/A/A12345.
  for await (const entry of await opendir(folder, { recursive: true })) {
    if (entry.isFile() && ++count >= maxCounted) break
  }
  return count
}

const byFolder = (config: string): Effect.Effect<Reading> =>
  Effect.tryPromise(async () => {
    const text = await readFile(join(config, "main.cf"), "utf8")
    const folder = parameter(text, "queue_directory") ?? usualQueue
    const counts: Record<string, number> = {}
    for (const queue of queues) counts[queue] = await countFiles(join(folder, queue))
    return judgeQueue(counts)
  }).pipe(Effect.orElseSucceed((): Reading => ({ value: null, status: "unknown", ...say("mail_queue_hidden", {}) })))

/** `configs`: configuration folders of Postfix. */
export const mailQueue = (host: string, configs: ReadonlyArray<string>): Source => ({
  name: "mail queues",
  kinds: ["mail_queue"],
  scope: "host",
  discover: () =>
    Effect.sync(() =>
      configs
        .filter((config) => existsSync(join(config, "main.cf")))
        .map((config): BuiltCheck => ({
          key: `${host} mail queue${config === "/etc/postfix" ? "" : ` ${config}`}`.slice(0, 200),
          kind: "mail_queue",
          group: `host ${host}`,
          unit: "messages",
          thresholds: limits,
          version: config,
          whenTimedOut: "unknown",
          probe: Effect.flatMap(run("postqueue", ["-c", config, "-j"]), ({ code, stdout, truncated }) =>
            code === 0 ? Effect.succeed(judgeQueue(countQueue(stdout), truncated)) : byFolder(config)
          )
        }))
    )
})
