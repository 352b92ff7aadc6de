/** Imports NOTIFIED_FILE as notices, so that sent updates are not sent again. */
import { healthSentence } from "#core/daemon/Health.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { merge, published } from "../incidents/Exports.ts"
import { noticeHash } from "../subscriptions/Exports.ts"
import { StatusFiles } from "../status-files/Exports.ts"
import { matchingHash } from "./HashGuess.ts"
import { contentOf, type Import, ImportProblem, nameOf } from "./Import.ts"
import { decodeNotified, maxNotifiedFile } from "./NotifiedFile.ts"

const variable = "NOTIFIED_FILE"

/** Waits until the incidents are known, because a hash does not name its incident. */
export const notifiedImport = (path: string): Import => ({
  variable,
  path,
  prepare: Effect.gen(function* () {
    const files = yield* StatusFiles
    const { content: told, sha256 } = yield* contentOf({
      variable,
      path,
      maximum: maxNotifiedFile,
      decode: decodeNotified
    })
    if (!files.incidentsKnown()) {
      return yield* new ImportProblem({
        detail: healthSentence(`${nameOf(variable, path)} waits until INCIDENTS_FILE can be read`),
        again: "soon"
      })
    }
    const lengths = [...new Set([...told].map(({ length }) => length))]
    const found = new Set<string>()
    const notices: Array<{ readonly hash: string; readonly incident_id: string }> = []
    for (const { id, updates } of merge(files.incidents(), yield* published)) {
      for (const { timestamp } of updates) {
        const known = matchingHash(told, lengths, id, timestamp, files.written(id, timestamp))
        if (known === undefined) continue
        found.add(known)
        notices.push({ hash: noticeHash(id, timestamp), incident_id: id })
      }
      // An update takes a thousand hashes; yields to other fibres in between.
      yield* Effect.yieldNow
    }
    const store = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into status_checker.notices (hash, incident_id, silent)
        select hash, incident_id, true from jsonb_to_recordset(${JSON.stringify(notices)}::jsonb)
        as r (hash text, incident_id text) on conflict do nothing`
      return { told: notices.length, not_found: told.size - found.size }
    })
    return { sha256, store }
  })
})
