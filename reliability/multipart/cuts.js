'use strict'

// Cuts uploads off at random bytes, and counts what is left behind:
// `node reliability/multipart/cuts.js [count] [seed]`. Linux: it reads /proc.

const { runCuts } = require('../../test/support/cut-uploads')

if (process.argv.includes('--help')) {
  console.log('npm run soak:uploads -- [uploads] [seed]\n\nCuts so many uploads (10000) at random bytes. Linux only.\nExit status: 0 if they leave no file and no descriptor behind.')
  process.exit()
}
const [count = 10_000, seed = 0] = process.argv.slice(2).map(Number)

runCuts(count, seed).then(({ outcomes, faults, files, bytes, descriptors }) => {
  for (const [outcome, number] of Object.entries(outcomes).sort()) console.log(`${String(number).padStart(7)}  ${outcome}`)
  console.log(`${count} uploads left ${files} files, ${bytes} bytes and ${descriptors} descriptors; ${faults.length} faults`)
  for (const fault of faults) console.log(fault)
  if (faults.length + files + descriptors > 0) process.exitCode = 1
})
