/**
 * Characters that make up most of any text of a language, to tell in which encoding from before Unicode a text is: read in the
 * wrong one, a text consists of rare characters.
 */

const SIMPLIFIED =
	'的一是了我不人在他有这个上们来到时大地为子中你说生国年着就那和要她出也得里后自以会家可下而过天去能对小多然于心学么之都好看起发当没成只如事把还用第样道想作种开美总从无情己面最女但现前些所同日手又行意动方期它头经长儿回位分爱老因很给名法间斯知世什两次使身者被高已亲其进此话常与活正感见明问力理尔点文几定本公特做外孩相西果走将月十实向声车全信重三机工物气每并别真打太新比才便夫再书部水像眼等体却加电主界门利海受听表德少克代员许稜先口由死安写性马光白或住难望教命花结乐色更拉东神记处让母父应直字场平报友关放至张认接告入笑内英军候民岁往何度山觉路带万男边风解叫任金快原吃妈变通师立象数四失满战远格士音轻目条呢病始达深完今提求清王化空业思切怎非找片罗钱吗语元喜曾离飞科言干流欢约各即指合反题必该论交终林请医晚制球决传画保读运及则房早院量苦火布品近坐产答星精视五连司巴奇管类未朋且婚台夜青北队久乎越观落尽形影红爸百令周吧识步希亚术留市半热送兴造谈容极随演收首根讲整式取照办强石古华拿计您装似足双妻尼转诉米称丽客南领节衣站黑刻统断福城故历惊脸选包紧争另建维绝树系伤示愿持千史谁准联妇纪基买志静阿诗独复痛消社算义竟确酒需单治卡幸兰念举仅钟怕共毛句息功官待究跟穿室易游程号居考突皮哪费倒价图具刚脑永歌响商礼细专黄块脚味灵改据般破引食仍存众注笔甚某沉血备习校默务土微娘须试怀料调广苏显赛查密议底列富梦错座参八除跑亮假印设线温虽掉京初养香停际致阳纸李纳验助激够严证帝饭忘趣支春集丈木研班普导顿睡展跳获艺六波察群皇段急庭创区奥器谢弟店否害草排背止组州朝封睛板角况曲馆育忙质河续哥呼若推境遇雨标姐充围案伦护冷警贝著雪索剧啊船险烟依斗值帮汉慢佛肯闻唱沙局伯族低玩资屋击速顾泪洲团圣旁堂兵七露园牛哭旅街劳型烈姑陈莫鱼异抱宝权鲁简态级票怪寻杀律胜份汽右洋范床舞秘午登楼贵吸责例追较职属渐左录丝牙党继托赶章智冲叶胡吉卖坚喝肉遗救修松临藏担戏善卫药悲敢靠伊村戴词森耳差短祖云规窗散迷油旧适乡架恩投弹铁博雷府压超负勒杂醒洗采毫嘴毕九冰既状乱景席珍童顶派素脱农疑练野按犯拍征坏骨余承置彩灯巨琴免环姆暗换技翻束增忍餐洛塞缺忆判欧层付阵玛批岛项狗休懂武革良恶恋委拥娜妙探呀营退摇弄桌熟诺宣银势奖宫忽套康供优课鸟喊降夏困刘罪亡鞋健模败伴守挥鲜财孤枪禁恐伙杰迹妹藸遍盖副坦牌江顺秋萨菜划授归浪听凡预奶雄升编典袋莱含盛济蒙棋端腿招释介烧误';
const TRADITIONAL =
	'的一是了我不人在他有這個上們來到時大地為子中你說生國年著就那和要她出也得裡後自以會家可下而過天去能對小多然於心學麼之都好看起發當沒成只如事把還用第樣道想作種開美總從無情己面最女但現前些所同日手又行意動方期它頭經長兒回位分愛老因很給名法間斯知世什兩次使身者被高已親其進此話常與活正感見明問力理爾點文幾定本公特做外孩相西果走將月十實向聲車全信重三機工物氣每並別真打太新比才便夫再書部水像眼等體卻加電主界門利海受聽表德少克代員許先口由死安寫性馬光白或住難望教命花結樂色更拉東神記處讓母父應直字場平報友關放至張認接告入笑內英軍候民歲往何度山覺路帶萬男邊風解叫任金快原吃媽變通師立象數四失滿戰遠格士音輕目條呢病始達深完今提求清王化空業思切怎非找片羅錢嗎語元喜曾離飛科言幹流歡約各即指合反題必該論交終林請醫晚制球決傳畫保讀運及則房早院量苦火布品近坐產答星精視五連司巴奇管類未朋且婚台臺夜青北隊久乎越觀落盡形影紅爸百令周吧識步希亞術留市半熱送興造談容極隨演收首根講整式取照辦強石古華拿計您裝似足雙妻尼轉訴米稱麗客南領節衣站黑刻統斷福城故歷驚臉選包緊爭另建維絕樹系傷示願持千史誰準聯婦紀基買志靜阿詩獨復痛消社算義竟確酒需單治卡幸蘭念舉僅鐘怕共毛句息功官待究跟穿室易遊程號居考突皮哪費倒價圖具剛腦永歌響商禮細專黃塊腳味靈改據般破引食仍存眾注筆甚某沉血備習校默務土微娘須試懷料調廣蘇顯賽查密議底列富夢錯座參八除跑亮假印設線溫雖掉京初養香停際致陽紙李納驗助激夠嚴證帝飯忘趣支春集丈木研班普導頓睡展跳獲藝六波察群皇段急庭創區奧器謝弟店否害草排背止組州朝封板角況曲館育忙質河續哥呼若推境遇雨標姐充圍案倫護冷警貝雪索劇啊船險煙依鬥值幫漢慢佛肯聞唱沙局伯族低玩資屋擊速顧淚洲團聖旁堂兵七露園牛哭旅街勞型烈姑陳莫魚異抱寶權魯簡態級票怪尋殺律勝份汽右洋範床舞秘午登樓貴吸責例追較職屬漸左錄絲牙黨繼託趕章智衝葉胡吉賣堅喝肉遺救修鬆臨藏擔戲善衛藥悲敢靠伊村戴詞森耳差短祖雲規窗散迷油舊適鄉架恩投彈鐵博雷府壓超負雜醒洗採毫嘴畢九冰既狀亂景席珍童頂派素脫農疑練野按犯拍徵壞骨餘承置彩燈巨琴免環暗換技翻束增忍餐缺憶判歐層付陣批島項狗休懂武革良惡戀委擁妙探呀營退搖弄桌熟諾宣銀勢獎宮忽套康供優課鳥喊降夏困劉罪亡鞋健模敗伴守揮鮮財孤槍禁恐夥傑跡妹遍蓋副坦牌江順秋薩菜劃授歸浪凡預奶雄升編典袋含盛濟蒙棋端腿招釋介燒誤';
const KANJI =
	'日一国人年大十二本中長出三時行見月分後前生五間上東四今金九入学高円子外八六下来気小七山話女北午百書先名川千水半男西電校語土木聞食車何南万毎白天母火右読友左休父雨会同事自社発者地業方新場員立開手力問代明動京目通言理体田主題意不作用度強公持野以思家世多正安院心界教文元重近考画海売知道集別物使品計死特私始朝運終台広住真有口少町料工建空急止送切転研足究楽起着店病質待試族銀早映親験英医仕去味写字答夜音注帰古歌買悪図週室歩風紙黒花春赤青館屋色走秋夏習駅洋旅服夕借曜飲肉貸堂鳥飯勉冬昼茶弟牛魚兄犬妹姉漢的設定処関数値表示配列文字追加削除変更実行結果対象必要場合認証接続取得一覧画面入力出力情報登録検索項目選択保存完了失敗成功例日付説明部当最化現内全力法性政経済相調査点';
const HANGUL =
	'이다는의에을가로한고하를지은도사기리자인서어니나시들그수정있대아해일제부장보전여라상스조주것적공과게거성구만원안전유연동신우요면경비오모무소시세실선방물당개생학미위중관계화문용교산회국년말내진회와데치으려된러했던습합간때없분같식입출력함결처음통최건양발재현름행태저반번명속트하록본복강더김단마람민달많심추후체드초차파바노배감각설영업질알할될않불였었았겠네까할등류및목론증토크터널형작규범집객변환';

export type GuessedScript =
	'hans' | 'hant' | 'japanese' | 'korean' | 'cyrillic' | 'greek' | 'hebrew' | 'arabic' | 'thai';

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
const LETTER_SCRIPTS: ReadonlySet<GuessedScript> = new Set(['cyrillic', 'greek', 'hebrew', 'arabic', 'thai']);
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
