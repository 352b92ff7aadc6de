import * as Settings from "#core/config/Settings.ts"

export const translationSettings = {
  url: Settings.httpAddress("SIGNALBOX_TRANSLATE_URL", {
    doc: "LibreTranslate server for automatic translations, such as http://127.0.0.1:5000; unset: none"
  }),
  key: Settings.secret("SIGNALBOX_TRANSLATE_KEY", { doc: "API key of SIGNALBOX_TRANSLATE_URL, when it needs one" })
}
