/** What fields and columns point at, by name: asked for once a page, and again after a change. */
import { signal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import type { Permission } from "../../lib/Me.ts"
import type { ThingName } from "./Kind.ts"

const t = words({
  en: {
    extension: "Extension",
    ring_group: "Ring group",
    ivr_menu: "Menu",
    voicemail: "Voicemail box",
    external: "External number",
    trunk: "Trunk",
    did: "Number",
    user: "User"
  },
  de: {
    extension: "Nebenstelle",
    ring_group: "Rufgruppe",
    ivr_menu: "Menü",
    voicemail: "Anrufbeantworter",
    external: "Externe Nummer",
    trunk: "Anschluss",
    did: "Rufnummer",
    user: "Benutzer"
  }
})

/** What each sort of thing is called. */
export const thingTitle = (of: ThingName): string => t()[of]

/** Where a call may be led. Source: interface document 2 §2.3. */
export const destinations = ["extension", "ring_group", "ivr_menu", "voicemail", "external"] as const

export interface Thing {
  readonly id: number
  /** As people know it. */
  readonly label: string
  /** What lists are narrowed down by to find it, and members are told by. */
  readonly number: string
}

interface Source {
  readonly path: string
  /** The parameter that finds one; undefined: its list is asked for as a whole. */
  readonly by?: string
  readonly needs: Permission
  readonly read: (row: any) => Omit<Thing, "id">
}

const sources: Readonly<Record<ThingName, Source>> = {
  extension: {
    path: "/api/v1/sip/extensions",
    by: "number",
    needs: "sip.read",
    read: ({ extension, name }) => ({ number: extension, label: `${extension} ${name}` })
  },
  ring_group: {
    path: "/api/v1/sip/ring-groups",
    by: "number",
    needs: "sip.read",
    read: ({ name, number }) => ({ number: number ?? "", label: number === null ? name : `${number} ${name}` })
  },
  ivr_menu: { path: "/api/v1/sip/ivr-menus", needs: "sip.read", read: ({ name }) => ({ number: "", label: name }) },
  voicemail: {
    path: "/api/v1/sip/voicemail-boxes",
    by: "number",
    needs: "sip.read",
    read: ({ box, name }) => ({ number: box, label: `${box} ${name}` })
  },
  external: {
    path: "/api/v1/sip/external-numbers",
    by: "number",
    needs: "sip.read",
    read: ({ name, number }) => ({ number, label: `${number} ${name}` })
  },
  trunk: { path: "/api/v1/sip/trunks", needs: "sip.read", read: ({ name }) => ({ number: "", label: name }) },
  did: {
    path: "/api/v1/sip/dids",
    by: "number",
    needs: "sip.read",
    read: ({ name, number }) => ({ number, label: `${number} ${name}` })
  },
  user: {
    path: "/api/v1/users",
    by: "q",
    needs: "users.read",
    read: ({ email, name }) => ({ number: email, label: `${name} (${email})` })
  }
}

/** Who may see them. */
export const neededFor = (of: ThingName): Permission => sources[of].needs
export const isFindable = (of: ThingName): boolean => sources[of].by !== undefined

export interface Things {
  readonly items: ReadonlyArray<Thing>
  /** There are more than were asked for. */
  readonly more: boolean
}

/** Unit: things. Reason: what a list gives at once, and more than anybody reads in a menu. */
const atOnce = 200

/** Changes with every change, so that names are read anew. */
export const edition = signal(0)

let lists = new Map<ThingName, Promise<Things>>()
let singles = new Map<string, Promise<Thing>>()

export const forget = (): void => {
  lists = new Map()
  singles = new Map()
  edition.value++
}

const asThing = ({ read }: Source, row: any): Thing => ({ id: row.id, ...read(row) })
const one = "/api/v1/sip/dids"
const ask = (source: Source, query: object) => call(`GET ${source.path}` as `GET ${typeof one}`, { query: query as {} })

/** The newest of them. */
export const things = (of: ThingName): Promise<Things> => {
  const source = sources[of]
  const found =
    lists.get(of) ??
    ask(source, { limit: atOnce }).then(({ items, next_before }) => ({
      items: items.map((row) => asThing(source, row)),
      more: next_before !== null
    }))
  lists.set(of, found)
  return found
}

/** Those with this number, or for users with this in their name or address. */
export const find = async (of: ThingName, text: string): Promise<ReadonlyArray<Thing>> => {
  const source = sources[of]
  return source.by === undefined
    ? []
    : (await ask(source, { limit: 20, [source.by]: text })).items.map((row) => asThing(source, row))
}

/** One of them, wherever it stands in its list. */
export const thing = async (of: ThingName, id: number): Promise<Thing> => {
  const source = sources[of]
  const near = (await things(of)).items.find((one) => one.id === id)
  if (near !== undefined) return near
  const key = `${of} ${id}`
  const found =
    singles.get(key) ??
    call(`GET ${source.path}/:id` as `GET ${typeof one}/:id`, { params: { id: String(id) } }).then((row) =>
      asThing(source, row)
    )
  singles.set(key, found)
  return found
}
