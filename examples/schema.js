'use strict'

// A schema for a body: what does not fit is a 422 with issues, and the handler
// gets what the schema gives. Any Standard Schema does: here one of zod.

const express = require('express')
const { z } = require('zod')
const bodyParser = require('fast-body-parser')

const User = z.object({
  name: z.string().trim().min(1),
  email: z.email(),
  roles: z.array(z.enum(['admin', 'author'])).default([])
})

const app = express()

app.post('/', bodyParser.json({ schema: User }), (req, res) => {
  res.status(201).json({ created: req.body })
})

app.use((error, req, res, next) => {
  const { status = 500, type, issues = [] } = error
  res.status(status).json({ error: { status, type, issues: issues.map(({ path, message }) => `${path.join('.')}: ${message}`) } })
})

module.exports = app

if (require.main === module) {
  const server = app.listen(process.env.PORT ?? 3000, (error) => {
    if (error) throw error
    const url = `http://localhost:${server.address().port}/`
    console.log(`Listening on ${url} - try:

  curl ${url} --json '{"name":"Tobi","email":"tobi@example.com"}'
  curl ${url} --json '{"name":"","roles":["owner"]}'
  curl ${url} -X POST`)
  })
}
