/**
 * What operators, servers and consoles rely on, as sorted lists: endpoints with their shapes, settings, routes, queues,
 * sealed columns, migrations, tables, metrics, commands, events and jobs. Read from the daemons and their source text;
 * starts nothing.
 */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { type HttpApi, OpenApi } from "effect/http-api"
import { commands } from "#daemons/Commands.ts"
import { daemons } from "#daemons/Suite.ts"
import { readSourceTree } from "./SourceTree.ts"

export type Inventory = Readonly<Record<string, ReadonlyArray<string>>>

/** The inventory of the checkout at `root`. */
export const inventory = (root: string): Inventory => {
  const texts = readSourceTree(root)
    .filter(({ path }) => /^(core|daemons)\//.test(path))
    .map(({ text }) => text)
  const found = (pattern: RegExp) => texts.flatMap((text) => [...text.matchAll(pattern)].map((match) => match[1]!))
  const environment = readFileSync(join(root, "config/signalbox.env.example"), "utf8")
  const lists: Inventory = {
    daemons: daemons.map(({ name, ownPort, port, title }) => `${name} ${port} ${ownPort ? "own port" : ""} ${title}`),
    endpoints: daemons.flatMap(({ api, name }) => endpointsOf(api as HttpApi.Top).map((line) => `${name} ${line}`)),
    settings: [...environment.matchAll(/^#?([A-Z][A-Z0-9_]+=.*)$/gm)].map(([, line]) => line!),
    queues: daemons.flatMap(({ name, queues }) => queues.map((queue) => `${name} ${queue}`)),
    sealed: daemons.flatMap(({ name, sealed }) => sealed.map(({ column, table }) => `${name} ${table}.${column}`)),
    migrations: daemons.flatMap(({ migrations: { schema, steps } }) =>
      steps.map(({ id, name, statements }) => `${schema} ${id} ${name} ${hash(statements.map(bare))}`)
    ),
    tables: found(/create (?:unlogged )?(?:table|view)(?: if not exists)? ([a-z_]+\.[a-z_]+)/g),
    metrics: found(/Metric\.(?:counter|gauge|histogram)\(\s*"([a-z_]+)"/g),
    commands: commands.flatMap((command) => commandsOf(command, "")),
    contracts: found(/\bdefine\(\s*"([a-z_.-]+)"/g)
  }
  return Object.fromEntries(Object.entries(lists).map(([name, lines]) => [name, [...new Set(lines)].toSorted()]))
}

/** Lines of `before` that `after` lacks, each with the name of its list. */
export const lost = (before: Inventory, after: Inventory): ReadonlyArray<string> =>
  Object.entries(before).flatMap(([name, lines]) =>
    lines.filter((line) => !(after[name] ?? []).includes(line)).map((line) => `${name}: ${line}`)
  )

/** SQL without comments and spacing. */
const bare = (sql: string) =>
  sql
    .replace(/--.*$/gm, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([(),]) ?/g, "$1")

const hash = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 12)

/** Method, path and a hash of parameters, bodies and answers. Texts for people are left out of the hash. */
const endpointsOf = (api: HttpApi.Top): ReadonlyArray<string> => {
  const document = OpenApi.fromApi(api)
  const schemas: Record<string, unknown> = { ...document.components.schemas }
  const plain = (value: unknown, depth: number): unknown => {
    if (Array.isArray(value)) return value.map((item) => plain(item, depth))
    if (typeof value !== "object" || value === null) return value
    const { $ref, description: _, title: __, ...rest } = value as Record<string, unknown>
    const name = typeof $ref === "string" ? $ref.slice($ref.lastIndexOf("/") + 1) : undefined
    if (name !== undefined) return depth === 0 ? "…" : plain(schemas[name], depth - 1)
    return Object.fromEntries(
      Object.entries(rest)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        // The order of an enumeration has no meaning.
        .map(([key, item]) => [key, key === "enum" ? (item as Array<string>).toSorted() : plain(item, depth)])
    )
  }
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { parameters, requestBody, responses } = operation as Record<string, unknown>
      return `${method.toUpperCase()} ${path} ${hash(plain({ parameters, requestBody, responses }, 6))}`
    })
  )
}

interface Listed {
  readonly name: string
  readonly subcommands: ReadonlyArray<{ readonly commands: ReadonlyArray<Listed> }>
}

/** Full names of a command and of those below it. */
const commandsOf = ({ name, subcommands }: Listed, above: string): ReadonlyArray<string> => [
  `${above}${name}`,
  ...subcommands.flatMap(({ commands }) => commands.flatMap((command) => commandsOf(command, `${above}${name} `)))
]
