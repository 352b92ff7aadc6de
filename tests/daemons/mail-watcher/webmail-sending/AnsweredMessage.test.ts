/** Search for the answered message on a server with many folders that answers slowly. */
import { ImapFlow, type ListResponse } from "imapflow"
import { afterEach, expect, it, vi } from "vitest"
import { find } from "#daemons/mail-watcher/webmail-sending/AnsweredMessage.ts"

afterEach(() => vi.restoreAllMocks())

const folder = (path: string, specialUse?: string): ListResponse => ({
  path,
  pathAsListed: path,
  name: path,
  delimiter: "/",
  parent: [],
  parentPath: "",
  flags: new Set(),
  specialUse,
  listed: true,
  subscribed: true
})

/** Folders that a search for an unknown message opens. `each`: time for one folder in milliseconds. */
const searched = async (folders: Array<ListResponse>, each: number) => {
  let now = 0
  vi.spyOn(performance, "now").mockImplementation(() => now)
  const client = new ImapFlow({ host: "127.0.0.1", port: 1, secure: false, auth: { user: "a" }, logger: false })
  const opened: Array<string> = []
  vi.spyOn(client, "list").mockResolvedValue(folders)
  vi.spyOn(client, "noop").mockResolvedValue()
  vi.spyOn(client, "getMailboxLock").mockImplementation((path) => {
    opened.push(String(path))
    return Promise.resolve({ path: String(path), release: () => undefined })
  })
  vi.spyOn(client, "search").mockImplementation(() => {
    now += each
    return Promise.resolve([])
  })
  expect(await find(client, "<a@far.test>")).toBeUndefined()
  return opened
}

it("searches the likely folders first, and the others only while the sender can wait", async () => {
  const others = Array.from({ length: 50 }, (_, index) => folder(`Projects/${index}`))
  const folders = [...others, folder("Trash", "\\Trash"), folder("Sent", "\\Sent"), folder("INBOX")]
  expect(await searched(folders, 2_000)).toEqual(["INBOX", "Sent"])
  expect(await searched(folders, 1_000)).toEqual(["INBOX", "Sent", "Projects/0", "Projects/1"])
  expect(await searched(folders, 1)).toHaveLength(40)
})
