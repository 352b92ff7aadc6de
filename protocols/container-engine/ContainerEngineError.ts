import { Schema } from "effect"

/** Why nothing is known of a container. */
export const ContainerEngineReason = Schema.TaggedUnion({
  /**
   * There is no socket, nobody listens there, it may not be opened, or the connection ended early. `code` is a system
   * error code.
   */
  Unreachable: { code: Schema.String },
  TimedOut: { milliseconds: Schema.Finite },
  /** The engine knows no container of that name. */
  NoSuchContainer: {},
  /** No engine allows such a name, so it was not asked. */
  BadName: {},
  /** An HTTP status that is neither 200 nor the 404 of a missing container. */
  Refused: { status: Schema.Int },
  /** What came is no answer of an engine's, or too long for one. */
  BadAnswer: { why: Schema.String }
})
export type ContainerEngineReason = typeof ContainerEngineReason.Type

/** Shows neither the container's settings nor its environment. */
export class ContainerEngineError extends Schema.TaggedError<ContainerEngineError>()("ContainerEngineError", {
  reason: ContainerEngineReason
}) {
  /** Whether the same question can have another answer later, with nothing changed by us. */
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
