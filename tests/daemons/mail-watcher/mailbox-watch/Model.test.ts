/** Model test of the decisions over random histories of a mailbox: each message must be announced exactly once. */
import {
  compare,
  isRecent,
  type FolderCursor,
  type ScanTimes,
  reconcile,
  recreatedCursor
} from "#daemons/mail-watcher/mailbox-watch/FolderCursor.ts"
import type { FolderStatus } from "#protocols/imap-watch/Untagged.ts"
import { describe, expect, it } from "@effect/vitest"
import fc from "fast-check"

/** Model of a mailbox: folders with messages that keep their arrival time when moved. */
class Server {
  readonly folders = new Map<
    string,
    {
      validity: number
      next: number
      messages: Map<number, { readonly id: number; readonly at: number }>
      been: Set<number>
    }
  >()
  #validity = 1
  create(name: string) {
    if (!this.folders.has(name))
      this.folders.set(name, { validity: this.#validity++, next: 1, messages: new Map(), been: new Set() })
  }
  put(name: string, message: { readonly id: number; readonly at: number }) {
    this.create(name)
    const folder = this.folders.get(name)!
    folder.messages.set(folder.next++, message)
    folder.been.add(message.id)
  }
  get statuses(): ReadonlyMap<string, FolderStatus> {
    return new Map(
      Array.from(this.folders, ([name, { messages, next, validity }]) => [
        name,
        { uidValidity: validity, uidNext: next, messages: messages.size, unseen: 0 }
      ])
    )
  }
}

/** Model of the watching in MailboxReporter, with the data that the database keeps. */
class Watcher {
  readonly told: Array<number> = []
  #cursors = new Map<string, FolderCursor>()
  #look: ScanTimes = { now: 0, first: undefined, last: undefined, fresh: false }
  readonly #known = new Map<number, Set<string>>()
  look(server: Server, now: number) {
    const look = { ...this.#look, now }
    for (const step of reconcile(this.#cursors, server.statuses, look)) {
      if (step._tag === "Begin") this.#cursors.set(step.folder, step.cursor)
      else this.#cursors.delete(step._tag === "Drop" ? step.folder : step.from)
      if (step._tag === "Rename") this.#cursors.set(step.folder, step.cursor)
      if (step._tag === "Begin" && look.first === undefined) this.#remember(server, step.folder)
    }
    for (const [name, status] of server.statuses) {
      const cursor = this.#cursors.get(name)!
      const verdict = compare(cursor, status)
      if (verdict === "Recreated") this.#read(server, name, recreatedCursor(status.uidValidity!, look), look)
      if (verdict === "Read") this.#read(server, name, cursor, look)
    }
    this.#look = { ...look, first: look.first ?? now, last: now }
  }
  #remember(server: Server, name: string) {
    const { messages, validity } = server.folders.get(name)!
    for (const { id } of messages.values()) this.#mark(id, `${name} ${validity}`)
  }
  #mark(id: number, place: string) {
    this.#known.set(id, (this.#known.get(id) ?? new Set()).add(place))
  }
  #read(server: Server, name: string, cursor: FolderCursor, look: ScanTimes) {
    const { messages, next, validity } = server.folders.get(name)!
    for (const [uid, { at, id }] of messages) {
      if (uid < cursor.uidNext || !isRecent(new Date(at), cursor, look)) continue
      const elsewhere = Array.from(this.#known.get(id) ?? []).some((place) => place !== `${name} ${validity}`)
      if (!elsewhere) this.told.push(id)
      this.#mark(id, `${name} ${validity}`)
    }
    this.#cursors.set(name, { ...cursor, uidNext: next })
  }
}

const name = fc.constantFrom("INBOX", "a", "b", "c/a")
const event = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("deliver" as const), name }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("move" as const), name, to: name, which: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("rename" as const), name, to: name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("delete" as const), name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("create" as const), name }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("look" as const), after: fc.constantFrom(1, 60, 3_600, 86_400) })
  }
)

describe("model of mailbox watching", () => {
  it("announces each scanned message once, and none from before the first scan", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), fc.nat(3), (events, before) => {
        const server = new Server()
        const watcher = new Watcher()
        let now = 1_800_000_000_000
        let id = 0
        for (let index = 0; index < before; index++) server.put("INBOX", { id: id++, at: now })
        const old = id
        watcher.look(server, (now += 1_000))
        const seen = new Set<number>()
        const look = () => {
          watcher.look(server, now)
          for (const { messages } of server.folders.values())
            for (const message of messages.values()) if (message.id >= old) seen.add(message.id)
        }
        for (const step of events) {
          now += 1_000
          const from = step.do === "look" ? undefined : server.folders.get(step.name)
          if (step.do === "deliver") server.put(step.name, { id: id++, at: now })
          if (step.do === "create") server.create(step.name)
          if (step.do === "delete") server.folders.delete(step.name)
          if (step.do === "rename" && from !== undefined && !server.folders.has(step.to)) {
            server.folders.delete(step.name)
            server.folders.set(step.to, from)
          }
          if (step.do === "move" && from !== undefined) {
            const [uid, message] = Array.from(from.messages)[step.which] ?? []
            if (uid === undefined || message === undefined) continue
            // A message that moves away and back between two scans looks like a second delivery, so the model skips
            // this.
            server.create(step.to)
            const target = server.folders.get(step.to)!
            if (target.been.has(message.id)) continue
            from.messages.delete(uid)
            server.put(step.to, message)
          }
          if (step.do === "look") {
            look()
            now += step.after * 1_000
          }
        }
        look()
        expect(watcher.told.toSorted((one, other) => one - other)).toEqual(
          [...seen].toSorted((one, other) => one - other)
        )
      }),
      {
        numRuns: 500,
        // A folder gets its former name back while a new folder has its other name.
        examples: [
          [
            [
              { do: "rename", name: "INBOX", to: "c/a" },
              { do: "look", after: 1 },
              { do: "rename", name: "c/a", to: "INBOX" },
              { do: "deliver", name: "c/a" }
            ],
            1
          ]
        ]
      }
    )
  })
})
