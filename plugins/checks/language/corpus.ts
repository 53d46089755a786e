/** Sentences by language, as people write to an assistant. Made up. */
export const sentences: readonly (readonly [language: string, text: string])[] = `
eng_Latn	Could you tell me how to change the password of my account?
eng_Latn	The weather in Norway was better than we thought.
eng_Latn	Write a short poem about winter
spa_Latn	¿Me puedes ayudar a escribir una carta para el banco?
spa_Latn	El tren sale mañana por la tarde y no quiero llegar tarde.
spa_Latn	Necesito una receta de sopa con verduras
por_Latn	Você pode me explicar como funciona o imposto de renda?
por_Latn	A reunião foi adiada porque não havia sala.
por_Latn	Quero comprar um carro usado em São Paulo
fra_Latn	Pouvez-vous me dire où se trouve la gare la plus proche ?
fra_Latn	Je ne sais pas si nous avons assez de temps pour le projet.
fra_Latn	Écris un poème sur la mer
deu_Latn	Kannst du mir bitte erklären, wie ich die Rechnung bezahle?
deu_Latn	Der Zug nach Hamburg ist heute schon wieder ausgefallen.
deu_Latn	Schreibe eine kurze Geschichte über einen Hund
ita_Latn	Vorrei sapere come posso rinnovare il passaporto.
ita_Latn	La riunione è stata spostata a domani perché manca il direttore.
ita_Latn	Dove posso mangiare una buona pizza?
nld_Latn	Kun je mij uitleggen hoe ik dit formulier moet invullen?
nld_Latn	Het is vandaag te koud om naar het strand te gaan.
swe_Latn	Jag vill gärna veta hur man lagar den här maträtten.
swe_Latn	Det var inte lätt att hitta en lägenhet i Stockholm.
dan_Latn	Jeg vil gerne vide, hvad det koster at sende en pakke.
dan_Latn	Vi skal ikke på ferie i år, men måske efter jul.
nor_Latn	Jeg lurer på hva jeg skal ha på meg når det blir kaldt.
nor_Latn	Vi har ikke noe mer melk, så noen må gå til butikken nå.
fin_Latn	Voisitko kertoa, mitä tämä sana tarkoittaa suomeksi?
fin_Latn	Hän ei ole vielä tullut kotiin, mutta se on ihan normaalia.
est_Latn	Kas sa oskad öelda, kuidas ma saan rongiga Tartusse?
est_Latn	See raamat oli väga huvitav, aga natuke liiga pikk.
hun_Latn	Meg tudnád mondani, hogy hol van a legközelebbi bolt?
hun_Latn	Nem tudtam aludni, mert nagyon meleg volt az éjjel.
pol_Latn	Czy możesz mi powiedzieć, jak dojść na dworzec?
pol_Latn	Nie wiem, co się stało, ale już jest lepiej.
ces_Latn	Můžeš mi prosím říct, kde je nejbližší lékárna?
ces_Latn	Včera jsem byl v kině a film se mi moc nelíbil.
slk_Latn	Chcel by som vedieť, kedy odchádza ďalší vlak, keď tento mešká.
slk_Latn	Nie sú tu žiadne voľné miesta, ale môžeme počkať.
slv_Latn	Ali lahko poveste, kje je najbližja pošta?
slv_Latn	Ne vem, zakaj še ni prišel, ker je bil zelo točen.
hrv_Latn	Možete li mi reći kako mogu kupiti kartu za autobus?
hrv_Latn	Nisam znao da se trgovina već zatvorila, ali nije važno.
ron_Latn	Îmi poți spune unde este cea mai apropiată farmacie?
ron_Latn	Nu știu dacă mai sunt bilete pentru spectacolul de mâine.
cat_Latn	Em pots dir com puc arribar a l'estació amb el metro?
cat_Latn	Aquest llibre és molt interessant però una mica llarg.
tur_Latn	Bana bu kelimenin ne anlama geldiğini söyler misin?
tur_Latn	Dün hava çok sıcaktı ama bugün daha iyi.
aze_Latn	Bu sözün nə demək olduğunu mənə deyə bilərsən?
aze_Latn	Dünən hava çox isti idi, amma bu gün daha yaxşıdır.
ind_Latn	Bisakah Anda menjelaskan cara membuat paspor karena saya tidak tahu?
ind_Latn	Mereka sudah pergi ke pasar dan akan kembali nanti sore.
msa_Latn	Bolehkah anda terangkan bagaimanakah cara memohon pasport kerana saya tidak tahu?
msa_Latn	Dia ialah seorang guru yang tinggal di Kuala Lumpur.
fil_Latn	Pwede mo bang sabihin kung nasaan ang pinakamalapit na botika?
fil_Latn	Hindi ko alam kung paano ito gawin, pero susubukan ko.
vie_Latn	Bạn có thể cho tôi biết cách làm món này không?
vie_Latn	Hôm nay trời rất đẹp nên chúng tôi đi dạo trong công viên.
lit_Latn	Ar galite pasakyti, kur yra artimiausia vaistinė?
lit_Latn	Aš nežinau, kodėl jis dar neatėjo, bet tai nieko tokio.
lav_Latn	Vai jūs varat pateikt, kur ir tuvākā aptieka?
lav_Latn	Es nezinu, kāpēc viņš vēl nav atnācis, bet tas nekas.
rus_Cyrl	Подскажите, пожалуйста, как пройти к вокзалу?
rus_Cyrl	Я не знаю, что случилось, но сейчас всё хорошо.
ukr_Cyrl	Підкажіть, будь ласка, як пройти до вокзалу?
ukr_Cyrl	Я не знаю, що сталося, але зараз усе добре.
bul_Cyrl	Можете ли да ми кажете къде е най-близката аптека?
bul_Cyrl	Не знам какво се случи, но сега всичко е наред.
srp_Cyrl	Можете ли да ми кажете где је најближа апотека?
srp_Cyrl	Не знам шта се десило, али сада је све у реду.
hin_Deva	क्या आप मुझे बता सकते हैं कि यह कैसे काम करता है?
hin_Deva	आज मौसम बहुत अच्छा है और हम बाहर जा रहे हैं।
mar_Deva	तुम्ही मला सांगू शकता का हे कसे काम करते?
mar_Deva	आज हवामान खूप छान आहे आणि आम्ही बाहेर जात आहोत.
ara_Arab	هل يمكنك أن تخبرني كيف أصل إلى المحطة؟
ara_Arab	الطقس جميل اليوم ولكن الرياح قوية في المساء.
pes_Arab	می‌توانید به من بگویید چگونه به ایستگاه بروم؟
pes_Arab	امروز هوا خیلی خوب است و ما به پارک می‌رویم.
urd_Arab	کیا آپ مجھے بتا سکتے ہیں کہ یہ کیسے کام کرتا ہے؟
urd_Arab	آج موسم بہت اچھا ہے اور ہم باہر جا رہے ہیں۔
jpn_Jpan	この文章を英語に翻訳してください。
kor_Hang	이 문장을 영어로 번역해 주세요.
zho_Hans	请把这句话翻译成英文。
tha_Thai	ช่วยแปลประโยคนี้เป็นภาษาอังกฤษหน่อย
heb_Hebr	תוכל לתרגם את המשפט הזה לאנגלית?
ben_Beng	আপনি কি এই বাক্যটি অনুবাদ করতে পারেন?
ell_Grek	Μπορείτε να μεταφράσετε αυτή την πρόταση;
tam_Taml	இந்த வாக்கியத்தை மொழிபெயர்க்க முடியுமா?
tel_Telu	ఈ వాక్యాన్ని అనువదించగలరా?
kan_Knda	ಈ ವಾಕ್ಯವನ್ನು ಅನುವಾದಿಸಬಹುದೇ?
`
  .trim()
  .split("\n")
  .map((line) => {
    const [language = "", text = ""] = line.split("\t");
    return [language, text] as const;
  });
