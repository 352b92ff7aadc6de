import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { MailWatcherApi } from "./Api.ts"
import { accounts } from "./accounts/Handlers.ts"
import { push } from "./mailbox-watch/push/Handlers.ts"
import { changes } from "./webmail-changes/Handlers.ts"
import { folderChanges } from "./webmail-changes/folders/Handlers.ts"
import { drafts, send } from "./webmail-sending/Handlers.ts"
import { uploads } from "./webmail-sending/uploads/Handlers.ts"
import { compose } from "./people/compose/Handlers.ts"
import { contacts, people } from "./people/contacts/Handlers.ts"
import { reading } from "./webmail-reading/Handlers.ts"
import { signatures } from "./people/signatures/Handlers.ts"
import { status } from "./mailbox-watch/Handlers.ts"

export const handlers = HttpApiBuilder.layer(MailWatcherApi).pipe(
  Layer.provide([
    accounts,
    reading,
    status,
    push,
    signatures,
    contacts,
    people,
    compose,
    changes,
    folderChanges,
    send,
    drafts,
    uploads
  ])
)
