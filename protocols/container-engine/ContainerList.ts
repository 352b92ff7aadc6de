/** Decodes the list of containers. Pure. Source: Docker Engine API 1.44, ContainerList; tested with Podman 4.3.1. */
import { Result, Schema } from "effect"
import type { ContainerEngineReason } from "./ContainerEngineError.ts"

export interface ListedContainer {
  /** Without the leading slash of the engine's answer. */
  readonly name: string
  /** As in `ContainerState.status`. */
  readonly status: string
}

/** Maximum number of containers of a list. Reason: bounds memory and the work that follows for each. */
export const maxContainers = 2_000

const maxStatus = 32

const List = Schema.fromJsonString(
  Schema.Array(Schema.Struct({ Names: Schema.NullOr(Schema.Array(Schema.String)), State: Schema.String }))
)
const decode = Schema.decodeUnknownResult(List)

/** Decodes the answer to `GET /containers/json`. Containers without a name are left out. */
export const readList = (
  status: number,
  body: string
): Result.Result<ReadonlyArray<ListedContainer>, ContainerEngineReason> => {
  if (status !== 200) return Result.fail({ _tag: "Refused", status })
  const list = decode(body)
  if (Result.isFailure(list)) return Result.fail({ _tag: "BadAnswer", why: "no list of containers" })
  return Result.succeed(
    list.success.slice(0, maxContainers).flatMap(({ Names, State }) => {
      const name = Names?.[0]?.replace(/^\//, "") ?? ""
      return name === "" ? [] : [{ name, status: State.slice(0, maxStatus) }]
    })
  )
}
