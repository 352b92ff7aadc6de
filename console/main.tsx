import { render } from "preact"
import { App } from "./app/App.tsx"
import { begin } from "./app/Begin.ts"
import * as Texts from "./lib/Texts.ts"
import "./style/base.css"
import "./style/parts.css"
import "./style/shell.css"

Texts.begin()
begin()
render(<App />, document.getElementById("console")!)
