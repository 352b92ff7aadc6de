/** Schemas that the management requests share. */
import { Schema } from "effect"
import { boundedList } from "#core/http/BoundedList.ts"
import { Id, line, maxMessage, maxName, paragraphs } from "./Fields.ts"
import { idPattern, maxIdLength } from "./Ids.ts"
import { incidentStatuses, severities } from "./Vocabulary.ts"

/** Same bound as in INCIDENTS_FILE. The length is repeated as a check that documents show. */
export const Title = line(maxName).check(Schema.isMaxLength(maxName))
const text = paragraphs(maxMessage).check(Schema.isMaxLength(maxMessage))
export const Message = text.check(
  Schema.makeFilter((message: string) => (message.trim() === "" ? "must not be empty" : undefined))
)
export const Note = text

/** Id of an incident or of maintenance. */
export const EntityId = Schema.String.check(Schema.isMaxLength(maxIdLength), Schema.isPattern(idPattern))

/** Maximum number of components of one incident or window. Reason: SERVICES_FILE has no more. */
const maxNamed = 500

const distinct = Schema.makeFilter((ids: ReadonlyArray<string>) =>
  new Set(ids).size === ids.length ? undefined : "must name each component once"
)
export const ComponentIds = boundedList(Id, { minimum: 0, maximum: maxNamed }).check(distinct)
/** Components of maintenance, which needs at least one. */
export const SomeComponentIds = boundedList(Id, { minimum: 1, maximum: maxNamed }).check(distinct)

export const Status = Schema.Literals(incidentStatuses)
export const Severity = Schema.Literals(severities)

/** Access note in the description of every management group. */
export const accessNote =
  "For service tokens and users of the provider's own tenant; users of other tenants are answered 403."
