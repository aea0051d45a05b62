'use strict'

const { HELP, readArguments } = require('./arguments')

async function main () {
  const settings = readArguments(process.argv.slice(2))
  if (settings.help) return console.log(HELP)
  const { installCompetitors, installNode } = require('./install')
  installCompetitors()
  const node = installNode(settings.node)
  await require('./run')({ ...settings, node })
}

main().catch((error) => {
  console.error(`bench: ${error.message}`)
  process.exitCode = 1
})
