/** Names of objects to which fields and columns refer. Cached per page and loaded again after a change. */
import { signal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { kept } from "../../lib/Kept.ts"
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

/** Title of a kind of object. */
export const thingTitle = (of: ThingName): string => t()[of]

/** Kinds of destinations for a call. Source: interface document 2 §2.3. */
export const destinations = ["extension", "ring_group", "ivr_menu", "voicemail", "external"] as const

export interface Thing {
  readonly id: number
  /** Name for people. */
  readonly label: string
  /** Number of the object, used by the search and by lists of members. */
  readonly number: string
}

interface Source {
  readonly path: string
  /** Name of the search parameter; undefined when the list cannot be searched. */
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

/** Permission needed to list the objects. */
export const neededFor = (of: ThingName): Permission => sources[of].needs
export const isFindable = (of: ThingName): boolean => sources[of].by !== undefined

export interface Things {
  readonly items: ReadonlyArray<Thing>
  /** Whether there are more than the loaded ones. */
  readonly more: boolean
}

/** Objects loaded at once. Reason: the maximum of a list request, and more than a menu can show usefully. */
const atOnce = 200

/** Increases with every change, so that names are loaded again. */
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

/** The newest objects. */
export const things = (of: ThingName): Promise<Things> => {
  const source = sources[of]
  return kept(lists, of, () =>
    ask(source, { limit: atOnce }).then(({ items, next_before }) => ({
      items: items.map((row) => asThing(source, row)),
      more: next_before !== null
    }))
  )
}

/** Results for the text in a picker: objects whose number it is, or users whose name or address contains it. */
export const find = async (of: ThingName, text: string): Promise<ReadonlyArray<Thing>> => {
  const source = sources[of]
  return source.by === undefined
    ? []
    : (await ask(source, { limit: 20, [source.by]: text })).items.map((row) => asThing(source, row))
}

/** One object by its id. */
export const thing = async (of: ThingName, id: number): Promise<Thing> => {
  const source = sources[of]
  const near = (await things(of)).items.find((one) => one.id === id)
  if (near !== undefined) return near
  return kept(singles, `${of} ${id}`, () =>
    call(`GET ${source.path}/:id` as `GET ${typeof one}/:id`, { params: { id: String(id) } }).then((row) =>
      asThing(source, row)
    )
  )
}
