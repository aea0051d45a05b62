'use strict'

// Writes a file as the comment of the pull request that the workflow runs for, or updates the comment of an earlier
// run. A token that may not comment, such as that of a fork's pull request, is no failure: the summary has the same.

const fs = require('node:fs')

const PAGE = 100 // comments
const { GITHUB_API_URL, GITHUB_EVENT_PATH, GITHUB_REPOSITORY, TITLE, TOKEN } = process.env

class NotAllowedError extends Error {}

async function main (file) {
  const { pull_request: pullRequest } = JSON.parse(fs.readFileSync(GITHUB_EVENT_PATH, 'utf8'))
  if (pullRequest === undefined) return console.log('::notice::This is not the run of a pull request: no comment.')
  const marker = `<!-- compare-load: ${TITLE.replaceAll('--', '')} -->`
  const body = `${marker}\n## ${TITLE}\n\n${fs.readFileSync(file, 'utf8')}`
  const comments = `/issues/${pullRequest.number}/comments`
  const earlier = await findComment(comments, marker)
  if (earlier === undefined) await request('POST', comments, { body })
  else await request('PATCH', `/issues/comments/${earlier.id}`, { body })
}

/** A comment with the marker that a person wrote is left alone. */
async function findComment (comments, marker) {
  for (let page = 1; ; page++) {
    const list = await request('GET', `${comments}?per_page=${PAGE}&page=${page}`)
    const found = list.find(({ body, user }) => user?.type === 'Bot' && body.startsWith(marker))
    if (found !== undefined || list.length < PAGE) return found
  }
}

async function request (method, path, value) {
  const response = await fetch(`${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}${path}`, {
    method,
    headers: { accept: 'application/vnd.github+json', authorization: `Bearer ${TOKEN}` },
    ...value !== undefined && { body: JSON.stringify(value) }
  })
  const text = await response.text()
  if (response.ok) return JSON.parse(text)
  const { status } = response
  const message = `${method} ${path}: ${status} ${text.slice(0, 200)}`
  throw status === 403 || status === 404 ? new NotAllowedError(message) : new Error(message)
}

main(process.argv[2]).catch((error) => {
  if (error instanceof NotAllowedError) return console.log('::notice::The token may not comment on this pull request.')
  console.log(`::error::${error.message}`)
  process.exitCode = 1
})
