import { Schema } from "effect"

/** Reason why the state of a container is not known. */
export const ContainerEngineReason = Schema.TaggedUnion({
  /** The socket is missing, has no listener, may not be opened, or closed early. `code` is a system error code. */
  Unreachable: { code: Schema.String },
  TimedOut: { milliseconds: Schema.Finite },
  /** The engine has no container with that name. */
  NoSuchContainer: {},
  /** The name is not valid in any engine, so no request was sent. */
  BadName: {},
  /** An HTTP status that is neither 200 nor the 404 of a missing container. */
  Refused: { status: Schema.Int },
  /** The answer is not from a container engine, or it is too long. */
  BadAnswer: { why: Schema.String }
})
export type ContainerEngineReason = typeof ContainerEngineReason.Type

/** Contains neither the container's settings nor its environment. */
export class ContainerEngineError extends Schema.TaggedError<ContainerEngineError>()("ContainerEngineError", {
  reason: ContainerEngineReason
}) {
  /** Whether the same request can have another result later. */
  get retryable(): boolean {
    return this.reason._tag !== "BadName"
  }
  override get message(): string {
    return ContainerEngineReason.match(this.reason, {
      Unreachable: ({ code }) =>
        code === "ENOENT" ? "container socket not there" : `container socket cannot be used: ${code}`,
      TimedOut: ({ milliseconds }) => `container engine did not answer within ${milliseconds} ms`,
      NoSuchContainer: () => "no such container",
      BadName: () => "no container can have this name",
      Refused: ({ status }) => `container engine refused with HTTP status ${status}`,
      BadAnswer: ({ why }) => `container engine's answer cannot be read: ${why}`
    })
  }
}
