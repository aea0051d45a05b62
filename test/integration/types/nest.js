'use strict'

// TypeScript of a NestJS application with this package in multer's place, as a
// package manager puts it there: with its own types, and beside @types/multer.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { createProject } = require('../support/program')
const { ROOT, remove, write } = require('../support/project')
const compile = require('../support/typescript')

const INTEGRATION = path.join(__dirname, '..')

const CONTROLLER =
  `import { Controller, Module, Post, UploadedFile, UploadedFiles, UseInterceptors } from '@nestjs/common'
import { FileFieldsInterceptor, FileInterceptor, FilesInterceptor, MulterModule } from '@nestjs/platform-express'
import { Express } from 'express'

@Controller()
export class Uploads {
  @Post('one')
  @UseInterceptors(FileInterceptor('avatar', { limits: { fileSize: 5e6 } }))
  one (@UploadedFile() file: Express.Multer.File): [string, Buffer] {
    return [file.originalname, file.buffer]
  }

  @Post('many')
  @UseInterceptors(FilesInterceptor('photos'))
  many (@UploadedFiles() files: Express.Multer.File[]): number[] {
    return files.map(({ size }) => size)
  }

  @Post('fields')
  @UseInterceptors(FileFieldsInterceptor([{ name: 'avatar', maxCount: 1 }]))
  fields (@UploadedFiles() files: { avatar?: Express.Multer.File[] }): string | undefined {
    // @ts-expect-error
    files.avatar?.[0]?.stored
    return files.avatar?.[0]?.path
  }
}

@Module({ controllers: [Uploads], imports: [MulterModule.register({ dest: 'uploads' })] })
export class AppModule {}
`

const STORAGE = `import { FileInterceptor } from '@nestjs/platform-express'
import type { Request } from 'express'
import multer, { diskStorage, memoryStorage, MulterError, type StorageEngine } from 'multer'

export const storage: StorageEngine = diskStorage({
  destination: 'uploads',
  filename: (req, file, callback) => callback(null, file.originalname)
})
export const interceptors = [FileInterceptor('a', { storage }), FileInterceptor('a', { storage: memoryStorage() })]
export const isTooLarge = (error: unknown) => error instanceof MulterError && error.code === 'LIMIT_FILE_SIZE'
export const nameOf = (req: Request) => req.file?.originalname
export const upload = multer({ storage }).single('a')
// @ts-expect-error
multer({ storage: 'disk' })
`

const DECORATORS = { experimentalDecorators: true, emitDecoratorMetadata: true, strictPropertyInitialization: false }
const ways = {
  nodenext: { module: 'nodenext' },
  'commonjs, as older applications have it,': {
    module: 'commonjs',
    moduleResolution: 'node10',
    ignoreDeprecations: '6.0'
  }
}

describe('TypeScript of NestJS with uploads', function () {
  this.timeout(60_000) // ms; npm packs, and each compilation reads the types of Node and of NestJS

  let folder

  before(async () => {
    folder = await createProject()
    const modules = path.join(folder, 'node_modules')
    for (const name of ['multer', '@nestjs', '@types']) fs.rmSync(path.join(modules, name), { force: true })
    fs.symlinkSync('fast-body-parser/multer', path.join(modules, 'multer'))
    fs.symlinkSync(path.join(INTEGRATION, 'nest-11/node_modules/@nestjs'), path.join(modules, '@nestjs'))
    fs.mkdirSync(path.join(modules, '@types'))
    for (const name of ['express', 'node']) {
      fs.symlinkSync(path.join(INTEGRATION, 'node_modules/@types', name), path.join(modules, '@types', name))
    }
    write(folder, { 'controller.ts': CONTROLLER, 'storage.ts': STORAGE })
  })

  after(() => remove(folder))

  for (const [name, settings] of Object.entries(ways)) {
    const check = (names, types) => compile(folder, names, { ...settings, ...DECORATORS, types })

    it(`compiles with ${name} and the types of this package`, () => {
      const { errors, files } = check(['controller.ts', 'storage.ts'], ['node'])
      assert.deepEqual(errors, [])
      assert.ok(files.some((file) => file.endsWith('fast-body-parser/types/multer.d.ts')))
    })

    it(`finds them with ${name} in "types", if no file imports multer`, () => {
      assert.deepEqual(check(['controller.ts'], ['node', 'multer']).errors, [])
      assert.match(check(['controller.ts'], ['node']).errors.join(), /2694|2503|2339/)
    })

    it(`compiles with ${name} beside @types/multer`, () => {
      const place = path.join(folder, 'node_modules/@types/multer')
      fs.symlinkSync(path.join(ROOT, 'node_modules/@types/multer'), place)
      try {
        const { errors, files } = check(['controller.ts', 'storage.ts'], ['node', 'multer'])
        assert.deepEqual(errors, [])
        for (const types of ['@types/multer/index.d.ts', 'fast-body-parser/types/multer.d.ts']) {
          assert.ok(files.some((file) => file.endsWith(types)), types)
        }
      } finally {
        fs.rmSync(place)
      }
    })
  }
})
