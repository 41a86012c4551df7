// The words by which services say that a request lacks something, as sources of regular expressions. Languages that are
// not among them are understood by the place of a name alone.

const words = (...alternatives: string[]) => `(?<!\\p{L})(?:${alternatives.join('|')})(?!\\p{L})`;
const stems = (...alternatives: string[]) => `(?<!\\p{L})(?:${alternatives.join('|')})\\p{L}*`;

/** What parts of a request are called. */
export const PART = [
  words('(?:param|parameter|field|property|argument|attribute|header|variable|member|element|column)(?:s|\\(s\\))?'),
  words('(?:form |request |file |multipart )?parts?', 'input', 'arg', 'args', 'prop', 'tham số', 'trường'),
  stems('param[eèé]tr', 'par[aá]metr', 'champ', 'campo', 'feld', 'pole', 'alan', 'en-tête', 'cabecera', 'kopfzeile'),
  stems('параметр', 'пол[еяю]', 'заголов'),
  '参数|參數|字段|欄位|栏位|属性|请求头|請求頭|パラメータ|フィールド|項目|ヘッダー?|매개변수|파라미터|필드|항목|헤더',
].join('|');

/** That something lacks, or how it has to be. */
export const LACK = [
  words(
    'required',
    'missing',
    'mandatory',
    'absent',
    'blank',
    'empty',
    'null',
    'undefined',
    'omitted',
    'lack(?:s|ing)?',
  ),
  words('needs?', 'needed', 'without', 'expected', 'expects', 'provide', 'specify', 'unspecified', 'requires?'),
  "(?:not|n't) (?:been |be )?(?:present|provided|given|set|specified|supplied|sent|passed|filled)(?!\\p{L})",
  '(?:must|should|has to) (?:be|have|contain)(?!\\p{L})',
  stems('obligat', 'obligaat', 'requis', 'requerid', 'richiest', 'manquant', 'mancant', 'falta', 'ausent'),
  stems('fehl', 'erforderlich', 'notwendig', 'leer', 'vac[ií]', 'vazi', 'vide', 'wymagan', 'brak', 'zorunlu', 'eksik'),
  stems(
    'wajib',
    'thiếu',
    'bắt buộc',
    'verplicht',
    'ontbre',
    'saknas',
    'обязат',
    'отсутств',
    'требу',
    'не указ',
    'не зад',
  ),
  '缺少|缺失|缺|为空|為空|必填|必传|必傳|必须|必須|必需|必要|未填|未传|未提供|未指定|没有传|请(?:传入?|输入|填写?|提供|指定)',
  'ありません|指定されて|不足|入力して|필수|누락|필요|없습니다|비어|مطلوب',
].join('|');

/** Words that may stand between a name and what is said of it. */
export const LINK = [
  words(
    'is',
    'are',
    'was',
    'were',
    'has',
    'have',
    'be',
    'been',
    'a',
    'an',
    'the',
    'this',
    'must',
    'should',
    'can',
    'not',
  ),
  words('cannot', 'may', 'value', "(?:is|ca|was|must|should)n[’']t", 'est', 'es', 'ist', 'é', 'è'),
  '[はがをも이가은는을를]|不能|不可|不允许',
].join('|');

/** Scripts in whose languages the words above are known. */
export const KNOWN_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Cyrillic}]/u;

/** Words of sentences, which name nothing. */
export const SENTENCE = wordSet(
  'a an the this that these those it its is are was were be been being has have had must should shall can cannot could',
  'may might will would do does did not no nor or and but if in on of for from to by with at as your you we our please',
  'one any all each some other than then there here when while only also both either least following le la les el los',
  'las il lo das die der ein eine un une una os est es ist required missing mandatory absent blank empty null undefined',
  'omitted lacks lacking needs need needed without expected expects provide specify requires require present provided',
  'given set specified supplied sent passed filled parameter parameters param params field fields property properties',
  'argument arguments attribute header headers part parts input value values body request response query path cookie form',
  'string int integer long number boolean bool list array object text validation invalid illegal wrong bad error errors',
  'exception failed failure internal unknown unsupported found message msg detail details reason description loc',
);

/** Words for things, which name a part only in quotes or beside a word for parts. */
export const THINGS = wordSet(
  'file files content data payload json multipart token key access api authentication authorization login permission',
  'permissions credentials signature http https url uri post get put method server client service gateway dataset task',
  'tasks job import upload user admin license quota system code status',
);

function wordSet(...lines: string[]): ReadonlySet<string> {
  return new Set(lines.join(' ').split(' '));
}
