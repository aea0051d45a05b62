'use strict'

// TypeScript within this process: what many programs read is parsed once.

const path = require('node:path')
const ts = require('typescript')

const STRICT = {
  // The declarations are checked by test:types.
  target: 'es2022', types: [], strict: true, exactOptionalPropertyTypes: true, skipLibCheck: true, esModuleInterop: true
}

const parsed = new Map() // by settings that matter to the parser

/**
 * @param {string} folder of the project
 * @param {string[]} names of its sources
 * @param {object} [settings] compilerOptions, as in a tsconfig.json
 * @returns {{ errors: string[], files: string[], emit: () => void }} errors as
 *   `file: code message`; files that were read
 */
function compile (folder, names, settings = {}) {
  const { options, errors: wrong } = ts.convertCompilerOptionsFromJson({ ...STRICT, ...settings }, folder)
  if (wrong.length > 0) throw new Error(wrong.map(messageOf).join('\n'))
  const host = ts.createCompilerHost(options)
  host.getCurrentDirectory = () => folder
  const { getSourceFile } = host
  host.getSourceFile = (name, settings, ...rest) => {
    const key = [name, settings.languageVersion, settings.impliedNodeFormat].join()
    if (!name.includes('/typescript/lib/') && !name.includes('/@types/node/')) {
      return getSourceFile(name, settings, ...rest)
    }
    if (!parsed.has(key)) parsed.set(key, getSourceFile(name, settings, ...rest))
    return parsed.get(key)
  }
  const program = ts.createProgram(names.map((name) => path.join(folder, name)), options, host)
  return {
    errors: ts.getPreEmitDiagnostics(program).map(messageOf),
    files: program.getSourceFiles().map((file) => file.fileName),
    emit: () => program.emit()
  }
}

function messageOf ({ file, code, messageText }) {
  return `${path.basename(file?.fileName ?? '')}: ${code} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
}

module.exports = compile
