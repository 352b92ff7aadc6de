import { OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { accounts } from "./api/Accounts.ts"
import { push } from "./api/Push.ts"
import { changes } from "./api/Changes.ts"
import { folderChanges } from "./api/FolderChanges.ts"
import { drafts, send } from "./api/Send.ts"
import { uploads } from "./api/Uploads.ts"
import { compose } from "./api/Compose.ts"
import { contacts, people } from "./api/Contacts.ts"
import { reading } from "./api/Reading.ts"
import { signatures } from "./api/Signatures.ts"
import { status } from "./api/Status.ts"

/** Everything mail-watcher answers. */
export const MailWatcherApi = Api.make("mail-watcher")
  .add(accounts)
  .add(reading)
  .add(status)
  .add(push)
  .add(signatures)
  .add(contacts)
  .add(people)
  .add(compose)
  .add(changes)
  .add(folderChanges)
  .add(send)
  .add(drafts)
  .add(uploads)
  .annotateMerge(
    OpenApi.annotations({
      title: "mail-watcher",
      description: "Mailboxes, watched and read: webmail, signatures, contacts"
    })
  )
