/** Words that nearly every text of a language has, by its FLORES code. Of scripts that several languages use. */
const words: Readonly<Record<string, string>> = {
  eng_Latn:
    "the and is are was were of to in that it you for with on this have not be at by from they what which can will would there please how i my we your an a do does if or but as about he she we his her all some more has was were so make give tell write show explain",
  spa_Latn:
    "el la los las de que y en un una es por con para no se lo como más pero sus le ya este sí porque esta cuando muy sin sobre también me hasta hay donde quiero puede está son al del",
  por_Latn:
    "o a os as de que e do da em um uma para é com não se na no por mais dos como mas foi ao ele das tem à seu sua ou ser quando muito há nos já está eu também só pelo pela até isso você são",
  fra_Latn:
    "le la les de des et est un une du en que qui pour dans ce il ne pas sur se plus par avec au je vous nous sont cette mais ou où être à elle aux ont ses très j'ai c'est l'on d'un",
  deu_Latn:
    "der die das und ist in den von zu mit sich des auf für nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber ich wir bitte kann",
  ita_Latn:
    "il lo la i gli le di che e è un una per con non si da in del della dei sono come anche più ma se al nel alla questo ha io mi ci quando molto dove cosa perché delle essere",
  nld_Latn:
    "de het een en van ik te dat die in is je niet zijn op aan met als voor er maar om hem dan zou of wat mijn men dit zo door over ze zich bij ook tot uit naar heeft hebben kan wordt",
  swe_Latn:
    "och i att det som en på är av för med till den har de inte om ett han men var jag sig från vi så kan när år under också efter eller nu där sin mycket vid mot hur kommer",
  dan_Latn:
    "og i at det er en til på den af for de med ikke der har som et om jeg han fra var ved så kan sig vi men eller hvad skal efter være over også nu blive mig hvor meget blev",
  nor_Latn:
    "og i det er på som en for av til at med har de ikke om den et jeg fra han men var så vi kan ved eller skal hva etter være også nå bli meg hvor mye ble noe dette",
  fin_Latn:
    "ja on ei se että hän oli mutta olen niin kun kuin joka mitä tämä ovat minä sen myös ole tai jos vain voi nyt kanssa hyvin siitä olla ollut sinä me he sekä mukaan jälkeen",
  est_Latn:
    "ja on ei see et ta oli aga kui mis ma ka kes või selle nii oma siis väga seda olen saab pole olid veel nende need palju kuidas mida ole mind kas meie sest ning",
  hun_Latn:
    "a az és hogy nem egy is ez azt de van meg mint csak már volt még vagy ha akkor ki itt olyan lesz kell minden most nagyon ezt én mert fel lehet után szerint között pedig",
  pol_Latn:
    "i w nie na się z do to że jest jak o ale po co tak za od czy przez dla był są być może tylko już jego było ten która który kiedy bardzo ja mnie oraz także będzie",
  ces_Latn:
    "a se v na je že to s z do o i jako ale k ve po by za jsem pro jsou není jeho jen od tak nebo být bylo který která už jak co při když také podle až však může",
  slk_Latn:
    "a sa v na je že to s z do o i ako ale k vo po by za som pre sú nie jeho len od tak alebo byť bolo ktorý ktorá už čo pri keď aj podľa až však môže sme",
  slv_Latn:
    "in je v se na da za so ki z pa ne s tudi kot po o bi ali ni iz če od do pri kako lahko še bil bila samo ima sem ter več med vendar kaj zelo ker",
  hrv_Latn:
    "i je u se na da za su koji s od a ne o to kao iz ali po što bi nije biti ili samo već još kako koja sam ga bio bila kada više jer što prije vrlo možete hvala",
  ron_Latn:
    "și de la în a cu pe nu că o este din un pentru care mai să se ca ce au lui sau fi am dar prin ai după fost sunt când foarte unde aceasta ale cel fără către eu",
  cat_Latn:
    "el la els les de que i a en un una és per amb no es del al com més però aquest aquesta són va ha dels ser hi també molt quan sense o seva fins perquè on jo",
  tur_Latn:
    "ve bir bu da de için ne ile çok gibi daha ama o olarak en kadar ben sonra olan var değil mi her şey nasıl ki ya önce benim olduğu diye zaman biz hem lütfen",
  aze_Latn:
    "və bir bu da də üçün nə ilə çox kimi daha amma o ən qədər mən sonra olan var deyil hər necə ki ya əvvəl mənim olduğu zaman biz həm edir bütün üzrə isə",
  ind_Latn:
    "yang dan di itu dengan untuk tidak ini dari dalam akan pada juga saya ke karena tersebut bisa ada mereka lebih telah oleh sudah atau kami seperti adalah kita bahwa anda apa",
  msa_Latn:
    "yang dan di itu dengan untuk tidak ini daripada dalam akan pada juga saya ke kerana tersebut boleh ada mereka lebih telah oleh sudah atau kami seperti ialah kita bahawa anda apakah bagaimanakah",
  fil_Latn:
    "ang ng sa na mga at ay ko mo ako ikaw siya hindi ito kung para may niya sila kami natin po lang nang din rin ni si isang kanyang ano dito paano pero dahil",
  vie_Latn:
    "và của là có không được cho một với những này người đã trong các để khi như tôi bạn thì ra đến từ ở nhiều cũng làm về rất sẽ phải nếu vì hay nào",
  lit_Latn:
    "ir yra į kad su iš ne tai kaip bet buvo o jis ar aš apie po už dar jau per nuo jo būti kai labai taip tik mes prie savo tačiau gali šis mano pat dėl",
  lav_Latn:
    "un ir uz ka ar no ne tas kā bet bija es par ko vai viņš tā pie pēc jau vēl ļoti kas mēs tikai lai to būt savu kad pat šis vairāk var arī tiek viņa",
  rus_Cyrl:
    "и в не на я что он с как это по но они к у ты из мы за вы так же от было бы его для то или только ещё меня уже когда если очень есть быть мне чтобы все",
  ukr_Cyrl:
    "і в не на я що він з як це по але вони до у ти із ми за ви так же від було б його для то або тільки ще мене вже коли якщо дуже є бути мені щоб та всі",
  bul_Cyrl:
    "и в не на аз че той с как това по но те към у ти от ние за вие така да се е са би го или само още мен вече когато ако много има съм ще ли във бъде",
  srp_Cyrl:
    "и у не на ја што он са како ово по али они је се да за су од би га или само још мене већ када ако веома има сам ће бити који која нису то као из",
  hin_Deva: "है और के की में का से को नहीं यह पर हैं एक भी कि था हो ने कर मैं तो जो वह आप हम लिए इस अपने क्या कैसे कुछ",
  mar_Deva: "आहे आणि च्या मी हे ते नाही एक तो ती का काय कसे होते आहेत या मध्ये पण साठी आपण केला होता असे त्या माझे तुम्ही करा",
  ara_Arab: "في من على أن إلى هذا هذه التي الذي لا ما كان مع هو هي عن لم قد بعد كل أو ثم كيف هل بين ذلك يمكن إن عند",
  pes_Arab:
    "و در به از که این را با است برای آن یک می خود تا کرد بر هم نیز شود شد من ما شما چه اگر چگونه هستند نمی‌شود بود",
  urd_Arab:
    "اور کے کی میں ہے کا سے کو نہیں یہ پر ہیں ایک بھی کہ تھا ہو نے کر تو جو وہ آپ ہم لیے اس اپنے کیا کیسے کچھ ہوں",
};

/** Letters that few languages have, in favour of those that do. */
export const telling: readonly (readonly [letters: RegExp, languages: readonly string[]])[] = [
  [/[ñ¿¡]/g, ["spa_Latn"]],
  [/[ãõ]/g, ["por_Latn"]],
  [/[ßäöü]/g, ["deu_Latn"]],
  [/[łńśźżą]/g, ["pol_Latn"]],
  [/[ěřů]/g, ["ces_Latn"]],
  [/[ľĺŕô]/g, ["slk_Latn"]],
  [/[őű]/g, ["hun_Latn"]],
  [/[ğış]/g, ["tur_Latn"]],
  [/ə/g, ["aze_Latn"]],
  [/[țșăâ]/g, ["ron_Latn"]],
  [/[đđ]/g, ["hrv_Latn"]],
  [/[ơưạảấầẩậắằẳặẹẻẽếềểễệịỉĩọỏốồổỗộớờởỡợụủũứừửữựỳỵỷỹ]/g, ["vie_Latn"]],
  [/[ėįųū]/g, ["lit_Latn"]],
  [/[āēīļņģķ]/g, ["lav_Latn"]],
  [/[åä]/g, ["swe_Latn", "fin_Latn"]],
  [/[æø]/g, ["dan_Latn", "nor_Latn"]],
  [/[õ]/g, ["est_Latn"]],
  [/[èêçàœ]/g, ["fra_Latn"]],
  [/[·]/g, ["cat_Latn"]],
  [/[ыэё]/g, ["rus_Cyrl"]],
  [/[їєґі]/g, ["ukr_Cyrl"]],
  [/[ђћџљњј]/g, ["srp_Cyrl"]],
  [/[ъ]/g, ["bul_Cyrl"]],
  [/[پچژگی]/g, ["pes_Arab"]],
  [/[ٹڈڑںےہ]/g, ["urd_Arab"]],
  [/[ةىأإ]/g, ["ara_Arab"]],
  [/[ळ]/g, ["mar_Deva"]],
];

/** Scripts that tell the language alone. */
export const scripts: readonly (readonly [letters: RegExp, language: string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, "jpn_Jpan"],
  [/\p{Script=Hangul}/gu, "kor_Hang"],
  [/\p{Script=Han}/gu, "zho_Hans"],
  [/\p{Script=Thai}/gu, "tha_Thai"],
  [/\p{Script=Hebrew}/gu, "heb_Hebr"],
  [/\p{Script=Bengali}/gu, "ben_Beng"],
  [/\p{Script=Greek}/gu, "ell_Grek"],
  [/\p{Script=Tamil}/gu, "tam_Taml"],
  [/\p{Script=Telugu}/gu, "tel_Telu"],
  [/\p{Script=Kannada}/gu, "kan_Knda"],
];

/** Languages of a word, each with the weight that it speaks for them: the fewer they are, the more. */
export const wordWeights: ReadonlyMap<string, readonly (readonly [language: string, weight: number])[]> = (() => {
  const byWord = new Map<string, string[]>();
  for (const [language, list] of Object.entries(words))
    for (const word of new Set(list.split(" "))) byWord.set(word, [...(byWord.get(word) ?? []), language]);
  return new Map(
    [...byWord].map(([word, languages]) => [
      word,
      languages.map((language) => [language, 1 / languages.length] as const),
    ]),
  );
})();

/** All languages that are told apart. */
export const languages: readonly string[] = [...Object.keys(words), ...scripts.map(([, language]) => language)];

/** Codes of the specification for languages that go by another one here. */
export const sameAs: Readonly<Record<string, string>> = { fas_Arab: "pes_Arab" };
