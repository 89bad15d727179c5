/**
 * Characters that make up most of any text of a language, to tell in which encoding from before Unicode a text is: read in the
 * wrong one, a text consists of rare characters.
 */

const SIMPLIFIED =
	'的一是了我不人在他有这个上们来到时大地为子中你说生国年着就那和要她出也得里后自以会家可下而过天去能对小多然于心学么之都好看起发当没成只如事把还用第样道想作种开美总从无情己面最女但现前些所同日手又行意动方期它头经长儿回位分爱老因很给名法间斯知世什两次使身者被高已亲其进此话常与活正感见明问力理尔点文几定本公特做外孩相西果走将月十实向声车全信重三机工物气每并别真打太新比才便夫再书部水像眼等体却加电主界门利海受听表德少克代员许稜先口由死安写性马光白或住难望教命花结乐色更拉东神记处让母父应直字场平报友关放至张认接告入笑内英军测试件包含容获取户息项目程序数据错误存配置参返失败功请输函类';
const TRADITIONAL =
	'的一是了我不人在他有這個上們來到時大地為子中你說生國年著就那和要她出也得裡後自以會家可下而過天去能對小多然於心學麼之都好看起發當沒成只如事把還用第樣道想作種開美總從無情己面最女但現前些所同日手又行意動方期它頭經長兒回位分愛老因很給名法間斯知世什兩次使身者被高已親其進此話常與活正感見明問力理爾點文幾定本公特做外孩相西果走將月十實向聲車全信重三機工物氣每並別真打太新比才便夫再書部水像眼等體卻加電主界門利海受聽表德少克代員許先口由死安寫性馬光白或住難望教命花結樂色更拉東神記處讓母父應直字場平報友關放至張認接告入笑內英軍候測試檔案包含容取資訊錯誤專存設參數傳失敗功請輸函類';
const KANJI =
	'日一国人年大十二本中長出三時行見月分後前生五間上東四今金九入学高円子外八六下来気小七山話女北午百書先名川千水半男西電校語土木聞食車何南万毎白天母火右読友左休父雨会同事自社発者地業方新場員立開手力問代明動京目通言理体田主題意不作用度強公持野以設定込検索結果郎処関数値表示配列文字追加削除変更実対象必要合認証接続取得覧画面情報登録項選択保存完了失敗成功例付説';
const HANGUL =
	'이다는의에을가로한고하를지은도사기리자인서어니나시들그수정있대아해일제부장보전여라상스조주것적공과게거성구만원안유연동신우요면경비오모무소세실선방물당개생학미위중관계화문용교산회국년말내진와데치으려된러했던습합간때없분같식입출력함결처음통최건양발재현름행태저반번명속트록본복강더김단마람민달많심추후체드초차파바노배감각설영업질알할될';

export type GuessedScript =
	| 'hans'
	| 'hant'
	| 'japanese'
	| 'korean'
	| 'cyrillic'
	| 'greek'
	| 'hebrew'
	| 'arabic'
	| 'thai';

/** Punctuation of each script counts as its own. */
const FREQUENT: Readonly<Record<GuessedScript, string>> = {
	hans: `${SIMPLIFIED}，。、：；！？“”‘’（）《》【】—…·`,
	hant: `${TRADITIONAL}，。、：；！？「」『』（）《》—…`,
	japanese: `${KANJI}、。「」『』・ー（）！？：〜々`,
	korean: `${HANGUL}`,
	cyrillic: 'оеаинтсрвлкмдпуяыьгзбчйхжю',
	greek: 'αοιετνσρκπυηλμςγδωέάόίύήώ',
	hebrew: 'יוהלארתבשמנםעדפקחג',
	arabic: 'اليمنوترتبةعدسفهكقحجأ',
	thai: 'าอนรกเมงลวยปตสคทดิีะุู่้็ไแโใํั',
};

const KANA_LETTER = /[\u3041-\u30fc]/;
const CAPITAL = /\p{Lu}/u;
const sets = new Map<GuessedScript, ReadonlySet<string>>();

/** Scripts of letters: a word of theirs has no other letters. */
export const LETTER_SCRIPTS: ReadonlySet<GuessedScript> = new Set(['cyrillic', 'greek', 'hebrew', 'arabic', 'thai']);
/** Words in which ASCII letters stand beside others. */
const MIXED_WORDS = /[A-Za-z]+[^\u0000-\u007f]\S*|[^\u0000-\u007f]+[A-Za-z]\S*/g;

/** Share of the characters beyond ASCII that are frequent in a script, from 0 to 1. */
export function measureFrequentShare(written: string, script: GuessedScript): number {
	// In a mixed word nothing counts as frequent.
	const text = LETTER_SCRIPTS.has(script)
		? written.replaceAll(MIXED_WORDS, (word) => '\u0080'.repeat(word.length))
		: written;
	const frequent = sets.get(script) ?? new Set(FREQUENT[script]);
	sets.set(script, frequent);
	let all = 0;
	let found = 0;
	let before = '';
	for (const character of text) {
		if (character > '\u007f') {
			all += 1;
			const isKana = script === 'japanese' && KANA_LETTER.test(character);
			// A capital begins a word; elsewhere it is a letter of an encoding with the cases exchanged.
			const isCapital = CAPITAL.test(character) && !/\p{L}/u.test(before) && frequent.has(character.toLowerCase());
			found += isKana || frequent.has(character) || isCapital ? 1 : 0;
		}
		before = character;
	}
	return all === 0 ? 0 : found / all;
}
