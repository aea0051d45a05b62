'use strict'

// Imports a JSON array into SQLite (Node.js 22.13 and newer), item by item: one
// transaction for each 500, with the progress in it. So GET tells how far an
// import is, while it runs and once its client has left.

const { setTimeout: delay } = require('node:timers/promises')
const express = require('express')
const bodyParser = require('fast-body-parser')

const sqlite = process.getBuiltinModule?.('node:sqlite')
if (sqlite === undefined) throw new Error(`json-import.js needs Node.js 22.13 or newer, which has SQLite, not ${process.version}`)

const SLOW = Number(process.env.SLOW ?? 0) // ms for each transaction
const database = new sqlite.DatabaseSync(process.env.DATABASE ?? ':memory:')
database.exec(`
  CREATE TABLE IF NOT EXISTS imports (id TEXT PRIMARY KEY, state TEXT, items INTEGER);
  CREATE TABLE IF NOT EXISTS users (import TEXT, name TEXT NOT NULL) STRICT`)
const begin = database.prepare("INSERT OR IGNORE INTO imports VALUES (?, 'running', 0)")
const insert = database.prepare('INSERT INTO users VALUES (?, ?)')
const progress = database.prepare('UPDATE imports SET items = items + ? WHERE id = ?')
const end = database.prepare('UPDATE imports SET state = ? WHERE id = ?')
const find = database.prepare('SELECT * FROM imports WHERE id = ?')

const app = express()
const parse = bodyParser.jsonArray({ limit: '2gb', record: '10kb', max: Infinity, path: '/users' })

app.put('/imports/:id', async (req, res) => {
  const { id } = req.params
  const items = await parse.read(req, res)
  if (begin.run(id).changes === 0) return res.status(409).json({ error: { status: 409 } })
  try {
    for await (const list of items.batches(500)) {
      store(id, list)
      await delay(SLOW)
    }
  } catch (error) {
    end.run(error.type === 'request.aborted' ? 'cut off' : 'failed', id)
    throw error
  }
  end.run('complete', id)
  res.status(201).json(find.get(id))
})

function store (id, items) {
  database.exec('BEGIN')
  try {
    for (const { name } of items) insert.run(id, name)
    progress.run(items.length, id)
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

app.get('/imports/:id', (req, res) => {
  const found = find.get(req.params.id)
  res.status(found === undefined ? 404 : 200).json(found ?? { error: { status: 404 } })
})

app.use((error, req, res, next) => {
  const { message, offset, record, status = 500, type } = error
  res.status(status).json({ error: { message: error.expose ? message : undefined, offset, record, status, type } })
})

module.exports = app

if (require.main === module) {
  const server = app.listen(process.env.PORT ?? 3000, (error) => {
    if (error) throw error
    const url = `http://localhost:${server.address().port}/imports/1`
    const items = "echo '{\"users\":[{\"name\":\"first\"}'; seq 1000000 | sed 's/.*/,{\"name\":\"user &\"}/'; echo ']}'"
    console.log(`(${items}) | curl -T - -H 'Content-Type: application/json' ${url} & sleep 1; curl ${url}`)
  })
}
