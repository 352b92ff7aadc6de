import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { MailWatcherApi } from "./Api.ts"
import { accounts } from "./handlers/Accounts.ts"
import { push } from "./handlers/Push.ts"
import { changes } from "./handlers/Changes.ts"
import { folderChanges } from "./handlers/FolderChanges.ts"
import { drafts, send } from "./handlers/Send.ts"
import { uploads } from "./handlers/Uploads.ts"
import { compose } from "./handlers/Compose.ts"
import { contacts, people } from "./handlers/Contacts.ts"
import { reading } from "./handlers/Reading.ts"
import { signatures } from "./handlers/Signatures.ts"
import { status } from "./handlers/Status.ts"

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
