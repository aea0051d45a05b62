'use strict'

const assert = require('node:assert/strict')
const { setTimeout: delay } = require('node:timers/promises')
const Form = require('../../lib/multipart/form')
const { readOptions } = require('../../lib/options')

const HEAD = '--b\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\n'

function createForm (options) {
  let settle
  const settled = new Promise((resolve) => { settle = resolve })
  const form = new Form('b', readOptions('multipart', options), { hold: () => null, runInAsyncScope: (run, self, ...rest) => run.call(self, ...rest), signal: undefined }, { ready () {}, settled: settle })
  return { form, settled }
}

describe('a form', () => {
  for (const isEndedWithin of [false, true]) {
    it(`accepts chunks${isEndedWithin ? ' and the end' : ''} while it scans another one, as a store may read on`, async () => {
      let text = ''
      const late = ['sition: form-data; name="t"\r\n\r\nmore', '\r\n--b--']
      const store = (file) => new Promise((resolve) => {
        file.on('data', (chunk) => {
          text += chunk
          for (const piece of late.splice(0)) form.write(Buffer.from(piece))
          if (isEndedWithin) form.end()
        })
        file.on('end', resolve)
      })
      const { form, settled } = createForm({ store })
      form.write(Buffer.from(HEAD))
      await delay(5)
      form.write(Buffer.from('some\r\n--b\r\nContent-Dispo'))
      if (!isEndedWithin) form.end()
      assert.equal(await settled, null)
      assert.deepEqual([text, form.fields.t], ['some', 'more'])
    })
  }

  it('ignores chunks after it has failed', async () => {
    const { form, settled } = createForm()
    form.write(Buffer.from('--b\r\n\r\n'))
    form.write(Buffer.from('\r\n'))
    form.write(Buffer.from(HEAD))
    form.end()
    assert.equal((await settled).type, 'multipart.disposition.invalid')
  })
})
