/** Finds the list in a file, which is the whole file or a property of its object. Pure. */
import { Result } from "effect"

/** The list under one of `names`, or the whole file. `root` starts the positions of its entries. */
export const listIn = (
  json: unknown,
  names: ReadonlyArray<string>
): Result.Result<{ readonly list: ReadonlyArray<unknown>; readonly root: string }, string> => {
  if (Array.isArray(json)) return Result.succeed({ list: json, root: "" })
  const wanted = `must be a list [ ], or an object with a list under ${names.map((name) => `"${name}"`).join(" or ")}`
  if (typeof json !== "object" || json === null) return Result.fail(wanted)
  const [first, second] = names.filter((name) => Object.hasOwn(json, name))
  if (first === undefined) return Result.fail(wanted)
  if (second !== undefined) return Result.fail(`has both "${first}" and "${second}": use only one`)
  const list = (json as Readonly<Record<string, unknown>>)[first]
  return Array.isArray(list) ? Result.succeed({ list, root: first }) : Result.fail(`${first} must be a list [ ]`)
}
