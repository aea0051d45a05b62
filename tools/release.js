'use strict'

// What a release needs: goes down the list of CONTRIBUTING.md, and packs what the workflow publishes.

const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { isDeepStrictEqual, parseArgs } = require('node:util')

const ROOT = path.join(__dirname, '..')
const SELF = 'fast-body-parser'
const HELP = `Usage: npm run release:check [-- --tag=v2.4.101]
       npm run release:pack -- FOLDER

release:check says what a release still lacks, and exits with 1 if that is anything. With --tag,
the tag must name the version of package.json.

release:pack writes the tarballs of both packages and an SBOM of each into a folder, and runs
npm's dry run of the publication.
`
const read = (file) => fs.readFileSync(path.join(ROOT, file), 'utf8')

function npm (cwd, ...args) {
  const options = { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' }
  return execFileSync('npm', args, options)
}

/** @returns {[string, boolean][]} what must hold, and whether it does */
function requirements ({ manifest, multer, tag }) {
  const { version } = manifest
  const minor = (text) => text.split('.').slice(0, 2).join('.')
  const field = (name) => [`package.json has ${name}`, manifest[name] !== undefined]
  const same = (name) => multer[name] !== undefined && isDeepStrictEqual(multer[name], manifest[name])
  return [
    ...['repository', 'bugs', 'homepage'].map(field),
    ['multer/package.json has the same bugs and homepage', same('bugs') && same('homepage')],
    ['multer/package.json has the same repository, with the directory multer', multer.repository !== undefined &&
      multer.repository.url === manifest.repository?.url && multer.repository.directory === 'multer'],
    [`multer/package.json depends on fast-body-parser ~${version}`,
      multer.dependencies['fast-body-parser'] === `~${version}`],
    [`fast-multer follows the minor of multer ${manifest.devDependencies.multer}`,
      minor(multer.version) === minor(manifest.devDependencies.multer.replace(/^\D+/, ''))],
    [`fast-body-parser follows the minor of body-parser ${manifest.devDependencies['body-parser']}`,
      minor(version) === minor(manifest.devDependencies['body-parser'])],
    [`HISTORY.md begins with "# ${version} / " and a date`,
      new RegExp(`^# ${version.replaceAll('.', '\\.')} / \\d{4}-\\d\\d-\\d\\d$`, 'm').test(read('HISTORY.md'))],
    [`README.md names fast-body-parser-${version}.tgz`, read('README.md').includes(`fast-body-parser-${version}.tgz`)],
    ['perf/README.md names the owner of the repository', !/\bOWNER\b/.test(read('perf/README.md'))],
    ['README.md says that it is published', !/nothing is published yet|not published yet/.test(read('README.md'))],
    ['docs/nestjs.md says that it is published', !/not published yet/.test(read('docs/nestjs.md'))],
    ['nothing is uncommitted', execFileSync('git', ['status', '--porcelain'], { cwd: ROOT, encoding: 'utf8' }) === ''],
    ...(tag === undefined ? [] : [[`the tag ${tag} names the version ${version}`, tag === `v${version}`]])
  ]
}

function check ({ tag }) {
  const [manifest, multer] = ['package.json', 'multer/package.json'].map((file) => JSON.parse(read(file)))
  const all = requirements({ manifest, multer, tag })
  for (const [text, holds] of all) console.log(`${holds ? 'ok      ' : 'MISSING '} ${text}`)
  const missing = all.filter(([, holds]) => !holds).length
  console.log(missing === 0 ? 'Ready to be tagged.' : `${missing} of ${all.length} are missing.`)
  process.exitCode = missing === 0 ? 0 : 1
}

function pack (folder) {
  const target = path.resolve(folder)
  fs.mkdirSync(target, { recursive: true })
  const parent = fs.mkdtempSync(path.join(os.tmpdir(), 'release-'))
  try {
    const sources = JSON.parse(npm(ROOT, 'pack', '--json', '--pack-destination', parent, '.', './multer'))
    let own
    for (const { name, filename } of Object.values(sources)) {
      const folder = path.join(parent, name)
      const packed = packPublished({ folder, source: path.join(parent, filename), target })
      own ??= packed
      writeSbom({ name, folder, target, own })
      npm(ROOT, 'publish', '--dry-run', '--access', 'public', packed)
    }
  } finally {
    fs.rmSync(parent, { recursive: true })
  }
}

/** Without the workspaces of this repository, of which Yarn 1 would warn each user. */
function packPublished ({ folder, source, target }) {
  fs.mkdirSync(folder)
  execFileSync('tar', ['-xzf', source, '-C', folder, '--strip-components=1'])
  change(folder, (manifest) => { delete manifest.workspaces })
  const [packed] = Object.values(JSON.parse(npm(folder, 'pack', '--json', '--pack-destination', target)))
  const [size, unpacked] = [packed.size, packed.unpackedSize].map((bytes) => `${Math.round(bytes / 1000)} KB`)
  console.log(`${packed.filename}: ${size}, unpacked ${unpacked} in ${packed.entryCount} files`)
  return path.join(target, packed.filename)
}

/**
 * CycloneDX, of what a user installs. `npm sbom --omit=dev` leaves out what a dependency for development needs as well,
 * so the package is installed by itself, without these. npm names the SBOM after the folder.
 */
function writeSbom ({ name, folder, target, own }) {
  const { version } = change(folder, (manifest) => {
    delete manifest.devDependencies
    // The version that is packed here is not published yet.
    if (SELF in manifest.dependencies) manifest.dependencies[SELF] = `file:${own}`
  })
  npm(folder, 'install', '--package-lock-only', '--ignore-scripts', '--no-audit')
  const sbom = npm(folder, 'sbom', '--sbom-format=cyclonedx', '--package-lock-only')
  fs.writeFileSync(path.join(target, `${name}-${version}.cdx.json`), sbom)
  console.log(`  ${JSON.parse(sbom).components.length} packages are in its SBOM`)
}

/** Changes the package.json of a folder. */
function change (folder, act) {
  const file = path.join(folder, 'package.json')
  const manifest = JSON.parse(fs.readFileSync(file, 'utf8'))
  act(manifest)
  fs.writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)
  return manifest
}

function main () {
  const options = { tag: { type: 'string' }, help: { type: 'boolean', short: 'h' } }
  const { values, positionals: [command, folder, ...others] } = parseArgs({ allowPositionals: true, options })
  if (values.help) console.log(HELP)
  else if (command === 'check' && folder === undefined) check(values)
  else if (command === 'pack' && folder !== undefined && others.length === 0) pack(folder)
  else throw Object.assign(new Error(`wrong arguments\n\n${HELP}`), { code: 'ERR_PARSE_ARGS_POSITIONALS' })
}

try {
  main()
} catch (error) {
  if (!error.code?.startsWith('ERR_PARSE_ARGS')) throw error
  console.error(`error: ${error.message}`)
  process.exitCode = 2
}
