import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import { readContract } from '../../../../src/service/contract/contractOverrides';
import { missingPartNamed, requestContent } from '../../../../src/service/request/missingPart';

const ofImport = requestContent(DEFAULT_CONTRACT, 'fileTask', ['notes.txt', 'docs/my draft']);

describe('What a rejection says that is missing', () => {
  const named: Readonly<Record<string, string>> = {
    'parameter taskIds is required': 'taskIds',
    '缺少参数 lang': 'lang',
    "missing field 'datasetId'": 'datasetId',
    'lang 不能为空': 'lang',
    lang不能为空: 'lang',
    "Required String parameter 'name' is not present": 'name',
    "Required request parameter 'name' for method parameter type String is not present": 'name',
    "Required request part 'document' is not present": 'document',
    'name is required': 'name',
    'Missing required parameter: lang.': 'lang',
    'Missing required parameters (taskIds, lang)': 'taskIds',
    'Missing lang': 'lang',
    'The lang field is required.': 'lang',
    'The field datasetCode must not be blank': 'datasetCode',
    'You need to send datasetCode with each file.': 'datasetCode',
    'Field validation failed: lang is required': 'lang',
    'lang: This field is required.': 'lang',
    '"lang" is required': 'lang',
    "'lang' is a required property": 'lang',
    "data must have required property 'lang'": 'lang',
    'The body must be an object whose "jobNo" is a string.': 'jobNo',
    'body.lang should not be empty': 'lang',
    '$.lang: is missing but it is required': 'lang',
    'Invalid parameter: dataset_code': 'dataset_code',
    'param taskIds[] cannot be empty': 'taskIds',
    'MISSING_PARAM: lang is missing': 'lang',
    "form part 'document' is required; form part 'datasetCode' is required": 'document',
    '{"detail":[{"type":"missing","loc":["body","lang"],"msg":"Field required","input":null}]}': 'lang',
    '{"message":"Validation failed","errors":[{"field":"lang","message":"must not be blank"}]}': 'lang',
    '{"lang":["This field is required."]}': 'lang',
    '请求缺少必填字段：datasetCode': 'datasetCode',
    '参数【lang】必填': 'lang',
    '请传入 lang': 'lang',
    'パラメータ lang は必須です': 'lang',
    'lang を入力してください': 'lang',
    '필수 매개변수 lang이(가) 없습니다': 'lang',
    'Не указан параметр lang': 'lang',
    'Поле lang обязательно для заполнения': 'lang',
    'Le paramètre langue est obligatoire': 'langue',
    'El campo idioma es obligatorio': 'idioma',
    'Falta el parámetro idioma': 'idioma',
    'Das Feld sprache ist erforderlich': 'sprache',
    'Parameter sprache fehlt': 'sprache',
    'Thiếu tham số lang': 'lang',
    'الحقل lang مطلوب': 'lang',
    'ต้องระบุ lang': 'lang',
    "lang can't be blank": 'lang',
    'The mode must be "fast" or "slow".': 'mode',
    'lang was not provided': 'lang',
    'Property region has not been set': 'region',
    'Το πεδίο lang λείπει': 'lang',
  };
  for (const [message, name] of Object.entries(named)) {
    it(`is ${name} in: ${message}`, () => {
      assert.deepEqual(missingPartNamed(message, ofImport), { name, isHeader: false });
    });
  }

  for (const [message, name] of [
    ['The header X-Tenant is required; its value must be "sandbox".', 'X-Tenant'],
    ["Missing request header 'tenant' for method parameter of type String", 'tenant'],
    ['缺少请求头 tenant', 'tenant'],
    ['Authorization header is required', 'Authorization'],
    ['x-api-version missing', 'x-api-version'],
  ] as const) {
    it(`is the header ${name} in: ${message}`, () => {
      assert.deepEqual(missingPartNamed(message, ofImport), { name, isHeader: true });
    });
  }

  for (const message of [
    '',
    'internal error',
    'invalid token',
    'Invalid access key',
    'Token is required',
    'Authentication is required',
    'Missing required parameters',
    'This field is required.',
    'The file is empty',
    'The request body is missing',
    "File 'notes.txt' is empty",
    'docs/my draft is empty',
    'Required parameter file is missing',
    'The quota of dataset Manuals is exceeded',
    'Task t-9 not found',
    'There is no task "x1".',
    'Too many requests: every third query is turned away. Try again later.',
    'java.lang.NullPointerException',
    'ERR_4001',
    '系统异常',
    '系统异常 NullPointerException',
    '无效的 token',
    '用户 admin 没有权限',
    'Внутренняя ошибка сервера',
    'Bad Request',
    '<html><head><title>404 Not Found</title></head></html>',
    'invalid header name',
  ]) {
    it(`is nothing in: ${message}`, () => {
      assert.equal(missingPartNamed(message, ofImport), undefined);
    });
  }

  it('is certain where more than one sign speaks for it', () => {
    for (const [message, name] of [
      ["form part 'datasetCode' is required", 'datasetCode'],
      ['缺少参数 lang', 'lang'],
      ['The mode must be "fast" or "slow".', undefined],
      ['invalid lang', undefined],
    ] as const) {
      const content = { ...ofImport, names: [...ofImport.names, 'mode'] };
      assert.equal(missingPartNamed(message, content, 'certain')?.name, name, message);
    }
  });

  it('is the next one once the first is there, and nothing once all are', () => {
    const message = "form part 'document' is required; form part 'datasetCode' is required";
    const nextOf = (fileTask: object) => {
      const content = requestContent(readContract({ fileTask }).contract, 'fileTask', []);
      return missingPartNamed(message, content)?.name;
    };
    assert.equal(nextOf({ filePart: 'document' }), 'datasetCode');
    assert.equal(nextOf({ filePart: 'document', fields: { datasetCode: 'A1' } }), undefined);
  });

  it('is nothing that the body of the query has, at whatever depth, and not the ID that was asked about', () => {
    const { contract } = readContract({ queryTask: { body: { q: [{ ref: '${taskId}' }], lang: 'en' } } });
    const content = requestContent(contract, 'queryTask', ['job-7']);
    for (const name of ['q', 'ref', 'lang', 'job-7']) {
      assert.equal(missingPartNamed(`parameter '${name}' is required`, content), undefined, name);
    }
    for (const name of ['region', 'taskid', 'Q']) {
      assert.equal(missingPartNamed(`parameter '${name}' is required`, content)?.name, name === 'Q' ? undefined : name);
    }
  });

  it('is a word of the message, whatever the message is, and found at once', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc
        .array(fc.constantFrom(...Object.keys(named), 'required', '"', ' ', '(', 'x', '参数'), { maxLength: 40 })
        .map((all) => all.join('')),
    );
    fc.assert(
      fc.property(texts, (message) => {
        const part = missingPartNamed(message, ofImport);
        assert.ok(part === undefined || message.includes(part.name));
      }),
    );
    const beganMs = performance.now();
    for (const piece of ['a', '"', 'required ', 'is ', '参数', 'a-', 'the a an ']) {
      missingPartNamed(piece.repeat(1_000_000 / piece.length), ofImport);
    }
    assert.ok(performance.now() - beganMs < 5000);
  });
});
