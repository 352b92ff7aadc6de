/** Host of a tenant's links and addresses. Source: RFC 1123 §2.1; a port may follow. */
import { Schema } from "effect"

/** Longest host name. Unit: characters. Source: RFC 1035 §2.3.4. */
const maxName = 253

const form = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?::\d{1,5})?$/

/** In ASCII and lower case, with an optional port. */
export const HostName = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(maxName), Schema.isPattern(form))
