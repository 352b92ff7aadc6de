import { render } from "preact"
import { App } from "./app/App.tsx"
import { begin } from "./app/Begin.ts"
import "./style/base.css"
import "./style/parts.css"
import "./style/shell.css"

begin()
render(<App />, document.getElementById("console")!)
