import { address } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { save } from "../../mail/Download.ts"
import type { Activation } from "./useActivation.ts"

const t = words({ en: { download: "Download" }, de: { download: "Herunterladen" } })

/** Button that saves the file of a model, ONNX. */
export const ModelFile = ({
  activation: { doing },
  name
}: {
  readonly name: string
  readonly activation: Activation
}) => (
  <button
    type="button"
    disabled={doing.busy.value}
    onClick={() =>
      void doing.run(() => save(address("GET /api/v1/wakeword/models/:name/file", { name }), `${name}.onnx`))
    }
  >
    {t().download}
  </button>
)
