/** Words that the features of provisioning share. */
export { Slug, textIn, Translated } from "./Shapes.ts"
