// A process for one way to do one row, so that no other code shapes what V8 makes of it: worker.mjs FILE ROW WAY
// prints the figure that FILE of ways/ measures.

import { createRequire } from 'node:module'
import process from 'node:process'

const [file, row, way] = process.argv.slice(2)
const { measure } = createRequire(import.meta.url)(`./ways/${file}`)
const figure = JSON.stringify(await measure(row, way))
process.stdout.write(figure, () => process.exit()) // whatever hangs
