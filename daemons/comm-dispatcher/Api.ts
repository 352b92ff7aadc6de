import { OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { comm } from "./alarms/Api.ts"
import { events } from "./event-socket/Api.ts"
import { notifications } from "./notifications/Api.ts"
import { push } from "./notifications/push/Api.ts"
import { workflows } from "./workflows/Api.ts"

/** Everything comm-dispatcher answers. */
export const CommApi = Api.make("comm-dispatcher")
  .add(workflows)
  .add(comm)
  .add(notifications)
  .add(push)
  .add(events)
  .annotateMerge(
    OpenApi.annotations({
      title: "comm-dispatcher",
      description:
        "Alarm workflows, direct messages and calls, and their ledger; notifications of users; the log of events"
    })
  )
