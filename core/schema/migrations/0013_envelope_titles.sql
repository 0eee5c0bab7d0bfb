-- Search by a part of the title. Frequent parts are found soon by walking along the lists, rare ones by an index of trigrams; the application samples the
-- table to choose (core/envelope/title-search.ts). Neither way is an operator of Postgres on titles, because those are not leakproof and therefore never
-- use an index behind row-level security.

-- A part is found whatever its case, by the full case folding of Unicode 17 (CaseFolding.txt, C and F), and however its accents are encoded. lower() depends
-- on the locale of the database, and does not find Straße by STRASSE or Σ by ς. No letter folds by its neighbours, so letters are folded one by one:
-- decomposed first (NFD), which leaves few to fold, and composed at last (NFC), so that an e is not found in an é. An ASCII title takes 0.002 ms, any
-- other about 0.02 ms.
create function fold_title(title text) returns text
  language plpgsql immutable strict parallel safe as
$$
begin
  if octet_length(title) = char_length(title) then return lower(title collate "C"); end if;
  declare
    letter text;
    folded text := '';
    -- The cast of a constant is evaluated once a session, not for each title.
    folds constant jsonb := '{
    "µ":"μ", "Æ":"æ", "Ð":"ð", "Ø":"ø", "Þ":"þ", "ß":"ss", "Đ":"đ", "Ħ":"ħ", "Ĳ":"ĳ", "Ŀ":"ŀ", "Ł":"ł", "ŉ":"ʼn", "Ŋ":"ŋ", "Œ":"œ", "Ŧ":"ŧ", "ſ":"s",
    "Ɓ":"ɓ", "Ƃ":"ƃ", "Ƅ":"ƅ", "Ɔ":"ɔ", "Ƈ":"ƈ", "Ɖ":"ɖ", "Ɗ":"ɗ", "Ƌ":"ƌ", "Ǝ":"ǝ", "Ə":"ə", "Ɛ":"ɛ", "Ƒ":"ƒ", "Ɠ":"ɠ", "Ɣ":"ɣ", "Ɩ":"ɩ", "Ɨ":"ɨ",
    "Ƙ":"ƙ", "Ɯ":"ɯ", "Ɲ":"ɲ", "Ɵ":"ɵ", "Ƣ":"ƣ", "Ƥ":"ƥ", "Ʀ":"ʀ", "Ƨ":"ƨ", "Ʃ":"ʃ", "Ƭ":"ƭ", "Ʈ":"ʈ", "Ʊ":"ʊ", "Ʋ":"ʋ", "Ƴ":"ƴ", "Ƶ":"ƶ", "Ʒ":"ʒ",
    "Ƹ":"ƹ", "Ƽ":"ƽ", "Ǆ":"ǆ", "ǅ":"ǆ", "Ǉ":"ǉ", "ǈ":"ǉ", "Ǌ":"ǌ", "ǋ":"ǌ", "Ǥ":"ǥ", "Ǳ":"ǳ", "ǲ":"ǳ", "Ƕ":"ƕ", "Ƿ":"ƿ", "Ȝ":"ȝ", "Ƞ":"ƞ", "Ȣ":"ȣ",
    "Ȥ":"ȥ", "Ⱥ":"ⱥ", "Ȼ":"ȼ", "Ƚ":"ƚ", "Ⱦ":"ⱦ", "Ɂ":"ɂ", "Ƀ":"ƀ", "Ʉ":"ʉ", "Ʌ":"ʌ", "Ɇ":"ɇ", "Ɉ":"ɉ", "Ɋ":"ɋ", "Ɍ":"ɍ", "Ɏ":"ɏ", "ͅ":"ι", "Ͱ":"ͱ",
    "Ͳ":"ͳ", "Ͷ":"ͷ", "Ϳ":"ϳ", "Α":"α", "Β":"β", "Γ":"γ", "Δ":"δ", "Ε":"ε", "Ζ":"ζ", "Η":"η", "Θ":"θ", "Ι":"ι", "Κ":"κ", "Λ":"λ", "Μ":"μ", "Ν":"ν",
    "Ξ":"ξ", "Ο":"ο", "Π":"π", "Ρ":"ρ", "Σ":"σ", "Τ":"τ", "Υ":"υ", "Φ":"φ", "Χ":"χ", "Ψ":"ψ", "Ω":"ω", "ς":"σ", "Ϗ":"ϗ", "ϐ":"β", "ϑ":"θ", "ϕ":"φ",
    "ϖ":"π", "Ϙ":"ϙ", "Ϛ":"ϛ", "Ϝ":"ϝ", "Ϟ":"ϟ", "Ϡ":"ϡ", "Ϣ":"ϣ", "Ϥ":"ϥ", "Ϧ":"ϧ", "Ϩ":"ϩ", "Ϫ":"ϫ", "Ϭ":"ϭ", "Ϯ":"ϯ", "ϰ":"κ", "ϱ":"ρ", "ϴ":"θ",
    "ϵ":"ε", "Ϸ":"ϸ", "Ϲ":"ϲ", "Ϻ":"ϻ", "Ͻ":"ͻ", "Ͼ":"ͼ", "Ͽ":"ͽ", "Ђ":"ђ", "Є":"є", "Ѕ":"ѕ", "І":"і", "Ј":"ј", "Љ":"љ", "Њ":"њ", "Ћ":"ћ", "Џ":"џ",
    "А":"а", "Б":"б", "В":"в", "Г":"г", "Д":"д", "Е":"е", "Ж":"ж", "З":"з", "И":"и", "К":"к", "Л":"л", "М":"м", "Н":"н", "О":"о", "П":"п", "Р":"р",
    "С":"с", "Т":"т", "У":"у", "Ф":"ф", "Х":"х", "Ц":"ц", "Ч":"ч", "Ш":"ш", "Щ":"щ", "Ъ":"ъ", "Ы":"ы", "Ь":"ь", "Э":"э", "Ю":"ю", "Я":"я", "Ѡ":"ѡ",
    "Ѣ":"ѣ", "Ѥ":"ѥ", "Ѧ":"ѧ", "Ѩ":"ѩ", "Ѫ":"ѫ", "Ѭ":"ѭ", "Ѯ":"ѯ", "Ѱ":"ѱ", "Ѳ":"ѳ", "Ѵ":"ѵ", "Ѹ":"ѹ", "Ѻ":"ѻ", "Ѽ":"ѽ", "Ѿ":"ѿ", "Ҁ":"ҁ", "Ҋ":"ҋ",
    "Ҍ":"ҍ", "Ҏ":"ҏ", "Ґ":"ґ", "Ғ":"ғ", "Ҕ":"ҕ", "Җ":"җ", "Ҙ":"ҙ", "Қ":"қ", "Ҝ":"ҝ", "Ҟ":"ҟ", "Ҡ":"ҡ", "Ң":"ң", "Ҥ":"ҥ", "Ҧ":"ҧ", "Ҩ":"ҩ", "Ҫ":"ҫ",
    "Ҭ":"ҭ", "Ү":"ү", "Ұ":"ұ", "Ҳ":"ҳ", "Ҵ":"ҵ", "Ҷ":"ҷ", "Ҹ":"ҹ", "Һ":"һ", "Ҽ":"ҽ", "Ҿ":"ҿ", "Ӏ":"ӏ", "Ӄ":"ӄ", "Ӆ":"ӆ", "Ӈ":"ӈ", "Ӊ":"ӊ", "Ӌ":"ӌ",
    "Ӎ":"ӎ", "Ӕ":"ӕ", "Ә":"ә", "Ӡ":"ӡ", "Ө":"ө", "Ӷ":"ӷ", "Ӻ":"ӻ", "Ӽ":"ӽ", "Ӿ":"ӿ", "Ԁ":"ԁ", "Ԃ":"ԃ", "Ԅ":"ԅ", "Ԇ":"ԇ", "Ԉ":"ԉ", "Ԋ":"ԋ", "Ԍ":"ԍ",
    "Ԏ":"ԏ", "Ԑ":"ԑ", "Ԓ":"ԓ", "Ԕ":"ԕ", "Ԗ":"ԗ", "Ԙ":"ԙ", "Ԛ":"ԛ", "Ԝ":"ԝ", "Ԟ":"ԟ", "Ԡ":"ԡ", "Ԣ":"ԣ", "Ԥ":"ԥ", "Ԧ":"ԧ", "Ԩ":"ԩ", "Ԫ":"ԫ", "Ԭ":"ԭ",
    "Ԯ":"ԯ", "Ա":"ա", "Բ":"բ", "Գ":"գ", "Դ":"դ", "Ե":"ե", "Զ":"զ", "Է":"է", "Ը":"ը", "Թ":"թ", "Ժ":"ժ", "Ի":"ի", "Լ":"լ", "Խ":"խ", "Ծ":"ծ", "Կ":"կ",
    "Հ":"հ", "Ձ":"ձ", "Ղ":"ղ", "Ճ":"ճ", "Մ":"մ", "Յ":"յ", "Ն":"ն", "Շ":"շ", "Ո":"ո", "Չ":"չ", "Պ":"պ", "Ջ":"ջ", "Ռ":"ռ", "Ս":"ս", "Վ":"վ", "Տ":"տ",
    "Ր":"ր", "Ց":"ց", "Ւ":"ւ", "Փ":"փ", "Ք":"ք", "Օ":"օ", "Ֆ":"ֆ", "և":"եւ", "Ⴀ":"ⴀ", "Ⴁ":"ⴁ", "Ⴂ":"ⴂ", "Ⴃ":"ⴃ", "Ⴄ":"ⴄ", "Ⴅ":"ⴅ", "Ⴆ":"ⴆ", "Ⴇ":"ⴇ",
    "Ⴈ":"ⴈ", "Ⴉ":"ⴉ", "Ⴊ":"ⴊ", "Ⴋ":"ⴋ", "Ⴌ":"ⴌ", "Ⴍ":"ⴍ", "Ⴎ":"ⴎ", "Ⴏ":"ⴏ", "Ⴐ":"ⴐ", "Ⴑ":"ⴑ", "Ⴒ":"ⴒ", "Ⴓ":"ⴓ", "Ⴔ":"ⴔ", "Ⴕ":"ⴕ", "Ⴖ":"ⴖ", "Ⴗ":"ⴗ",
    "Ⴘ":"ⴘ", "Ⴙ":"ⴙ", "Ⴚ":"ⴚ", "Ⴛ":"ⴛ", "Ⴜ":"ⴜ", "Ⴝ":"ⴝ", "Ⴞ":"ⴞ", "Ⴟ":"ⴟ", "Ⴠ":"ⴠ", "Ⴡ":"ⴡ", "Ⴢ":"ⴢ", "Ⴣ":"ⴣ", "Ⴤ":"ⴤ", "Ⴥ":"ⴥ", "Ⴧ":"ⴧ", "Ⴭ":"ⴭ",
    "ᏸ":"Ᏸ", "ᏹ":"Ᏹ", "ᏺ":"Ᏺ", "ᏻ":"Ᏻ", "ᏼ":"Ᏼ", "ᏽ":"Ᏽ", "ᲀ":"в", "ᲁ":"д", "ᲂ":"о", "ᲃ":"с", "ᲄ":"т", "ᲅ":"т", "ᲆ":"ъ", "ᲇ":"ѣ", "ᲈ":"ꙋ", "Ᲊ":"ᲊ",
    "Ა":"ა", "Ბ":"ბ", "Გ":"გ", "Დ":"დ", "Ე":"ე", "Ვ":"ვ", "Ზ":"ზ", "Თ":"თ", "Ი":"ი", "Კ":"კ", "Ლ":"ლ", "Მ":"მ", "Ნ":"ნ", "Ო":"ო", "Პ":"პ", "Ჟ":"ჟ",
    "Რ":"რ", "Ს":"ს", "Ტ":"ტ", "Უ":"უ", "Ფ":"ფ", "Ქ":"ქ", "Ღ":"ღ", "Ყ":"ყ", "Შ":"შ", "Ჩ":"ჩ", "Ც":"ც", "Ძ":"ძ", "Წ":"წ", "Ჭ":"ჭ", "Ხ":"ხ", "Ჯ":"ჯ",
    "Ჰ":"ჰ", "Ჱ":"ჱ", "Ჲ":"ჲ", "Ჳ":"ჳ", "Ჴ":"ჴ", "Ჵ":"ჵ", "Ჶ":"ჶ", "Ჷ":"ჷ", "Ჸ":"ჸ", "Ჹ":"ჹ", "Ჺ":"ჺ", "Ჽ":"ჽ", "Ჾ":"ჾ", "Ჿ":"ჿ", "ẚ":"aʾ", "ẞ":"ss",
    "Ỻ":"ỻ", "Ỽ":"ỽ", "Ỿ":"ỿ", "Ⅎ":"ⅎ", "Ⅰ":"ⅰ", "Ⅱ":"ⅱ", "Ⅲ":"ⅲ", "Ⅳ":"ⅳ", "Ⅴ":"ⅴ", "Ⅵ":"ⅵ", "Ⅶ":"ⅶ", "Ⅷ":"ⅷ", "Ⅸ":"ⅸ", "Ⅹ":"ⅹ", "Ⅺ":"ⅺ", "Ⅻ":"ⅻ",
    "Ⅼ":"ⅼ", "Ⅽ":"ⅽ", "Ⅾ":"ⅾ", "Ⅿ":"ⅿ", "Ↄ":"ↄ", "Ⓐ":"ⓐ", "Ⓑ":"ⓑ", "Ⓒ":"ⓒ", "Ⓓ":"ⓓ", "Ⓔ":"ⓔ", "Ⓕ":"ⓕ", "Ⓖ":"ⓖ", "Ⓗ":"ⓗ", "Ⓘ":"ⓘ", "Ⓙ":"ⓙ", "Ⓚ":"ⓚ",
    "Ⓛ":"ⓛ", "Ⓜ":"ⓜ", "Ⓝ":"ⓝ", "Ⓞ":"ⓞ", "Ⓟ":"ⓟ", "Ⓠ":"ⓠ", "Ⓡ":"ⓡ", "Ⓢ":"ⓢ", "Ⓣ":"ⓣ", "Ⓤ":"ⓤ", "Ⓥ":"ⓥ", "Ⓦ":"ⓦ", "Ⓧ":"ⓧ", "Ⓨ":"ⓨ", "Ⓩ":"ⓩ", "Ⰰ":"ⰰ",
    "Ⰱ":"ⰱ", "Ⰲ":"ⰲ", "Ⰳ":"ⰳ", "Ⰴ":"ⰴ", "Ⰵ":"ⰵ", "Ⰶ":"ⰶ", "Ⰷ":"ⰷ", "Ⰸ":"ⰸ", "Ⰹ":"ⰹ", "Ⰺ":"ⰺ", "Ⰻ":"ⰻ", "Ⰼ":"ⰼ", "Ⰽ":"ⰽ", "Ⰾ":"ⰾ", "Ⰿ":"ⰿ", "Ⱀ":"ⱀ",
    "Ⱁ":"ⱁ", "Ⱂ":"ⱂ", "Ⱃ":"ⱃ", "Ⱄ":"ⱄ", "Ⱅ":"ⱅ", "Ⱆ":"ⱆ", "Ⱇ":"ⱇ", "Ⱈ":"ⱈ", "Ⱉ":"ⱉ", "Ⱊ":"ⱊ", "Ⱋ":"ⱋ", "Ⱌ":"ⱌ", "Ⱍ":"ⱍ", "Ⱎ":"ⱎ", "Ⱏ":"ⱏ", "Ⱐ":"ⱐ",
    "Ⱑ":"ⱑ", "Ⱒ":"ⱒ", "Ⱓ":"ⱓ", "Ⱔ":"ⱔ", "Ⱕ":"ⱕ", "Ⱖ":"ⱖ", "Ⱗ":"ⱗ", "Ⱘ":"ⱘ", "Ⱙ":"ⱙ", "Ⱚ":"ⱚ", "Ⱛ":"ⱛ", "Ⱜ":"ⱜ", "Ⱝ":"ⱝ", "Ⱞ":"ⱞ", "Ⱟ":"ⱟ", "Ⱡ":"ⱡ",
    "Ɫ":"ɫ", "Ᵽ":"ᵽ", "Ɽ":"ɽ", "Ⱨ":"ⱨ", "Ⱪ":"ⱪ", "Ⱬ":"ⱬ", "Ɑ":"ɑ", "Ɱ":"ɱ", "Ɐ":"ɐ", "Ɒ":"ɒ", "Ⱳ":"ⱳ", "Ⱶ":"ⱶ", "Ȿ":"ȿ", "Ɀ":"ɀ", "Ⲁ":"ⲁ", "Ⲃ":"ⲃ",
    "Ⲅ":"ⲅ", "Ⲇ":"ⲇ", "Ⲉ":"ⲉ", "Ⲋ":"ⲋ", "Ⲍ":"ⲍ", "Ⲏ":"ⲏ", "Ⲑ":"ⲑ", "Ⲓ":"ⲓ", "Ⲕ":"ⲕ", "Ⲗ":"ⲗ", "Ⲙ":"ⲙ", "Ⲛ":"ⲛ", "Ⲝ":"ⲝ", "Ⲟ":"ⲟ", "Ⲡ":"ⲡ", "Ⲣ":"ⲣ",
    "Ⲥ":"ⲥ", "Ⲧ":"ⲧ", "Ⲩ":"ⲩ", "Ⲫ":"ⲫ", "Ⲭ":"ⲭ", "Ⲯ":"ⲯ", "Ⲱ":"ⲱ", "Ⲳ":"ⲳ", "Ⲵ":"ⲵ", "Ⲷ":"ⲷ", "Ⲹ":"ⲹ", "Ⲻ":"ⲻ", "Ⲽ":"ⲽ", "Ⲿ":"ⲿ", "Ⳁ":"ⳁ", "Ⳃ":"ⳃ",
    "Ⳅ":"ⳅ", "Ⳇ":"ⳇ", "Ⳉ":"ⳉ", "Ⳋ":"ⳋ", "Ⳍ":"ⳍ", "Ⳏ":"ⳏ", "Ⳑ":"ⳑ", "Ⳓ":"ⳓ", "Ⳕ":"ⳕ", "Ⳗ":"ⳗ", "Ⳙ":"ⳙ", "Ⳛ":"ⳛ", "Ⳝ":"ⳝ", "Ⳟ":"ⳟ", "Ⳡ":"ⳡ", "Ⳣ":"ⳣ",
    "Ⳬ":"ⳬ", "Ⳮ":"ⳮ", "Ⳳ":"ⳳ", "Ꙁ":"ꙁ", "Ꙃ":"ꙃ", "Ꙅ":"ꙅ", "Ꙇ":"ꙇ", "Ꙉ":"ꙉ", "Ꙋ":"ꙋ", "Ꙍ":"ꙍ", "Ꙏ":"ꙏ", "Ꙑ":"ꙑ", "Ꙓ":"ꙓ", "Ꙕ":"ꙕ", "Ꙗ":"ꙗ", "Ꙙ":"ꙙ",
    "Ꙛ":"ꙛ", "Ꙝ":"ꙝ", "Ꙟ":"ꙟ", "Ꙡ":"ꙡ", "Ꙣ":"ꙣ", "Ꙥ":"ꙥ", "Ꙧ":"ꙧ", "Ꙩ":"ꙩ", "Ꙫ":"ꙫ", "Ꙭ":"ꙭ", "Ꚁ":"ꚁ", "Ꚃ":"ꚃ", "Ꚅ":"ꚅ", "Ꚇ":"ꚇ", "Ꚉ":"ꚉ", "Ꚋ":"ꚋ",
    "Ꚍ":"ꚍ", "Ꚏ":"ꚏ", "Ꚑ":"ꚑ", "Ꚓ":"ꚓ", "Ꚕ":"ꚕ", "Ꚗ":"ꚗ", "Ꚙ":"ꚙ", "Ꚛ":"ꚛ", "Ꜣ":"ꜣ", "Ꜥ":"ꜥ", "Ꜧ":"ꜧ", "Ꜩ":"ꜩ", "Ꜫ":"ꜫ", "Ꜭ":"ꜭ", "Ꜯ":"ꜯ", "Ꜳ":"ꜳ",
    "Ꜵ":"ꜵ", "Ꜷ":"ꜷ", "Ꜹ":"ꜹ", "Ꜻ":"ꜻ", "Ꜽ":"ꜽ", "Ꜿ":"ꜿ", "Ꝁ":"ꝁ", "Ꝃ":"ꝃ", "Ꝅ":"ꝅ", "Ꝇ":"ꝇ", "Ꝉ":"ꝉ", "Ꝋ":"ꝋ", "Ꝍ":"ꝍ", "Ꝏ":"ꝏ", "Ꝑ":"ꝑ", "Ꝓ":"ꝓ",
    "Ꝕ":"ꝕ", "Ꝗ":"ꝗ", "Ꝙ":"ꝙ", "Ꝛ":"ꝛ", "Ꝝ":"ꝝ", "Ꝟ":"ꝟ", "Ꝡ":"ꝡ", "Ꝣ":"ꝣ", "Ꝥ":"ꝥ", "Ꝧ":"ꝧ", "Ꝩ":"ꝩ", "Ꝫ":"ꝫ", "Ꝭ":"ꝭ", "Ꝯ":"ꝯ", "Ꝺ":"ꝺ", "Ꝼ":"ꝼ",
    "Ᵹ":"ᵹ", "Ꝿ":"ꝿ", "Ꞁ":"ꞁ", "Ꞃ":"ꞃ", "Ꞅ":"ꞅ", "Ꞇ":"ꞇ", "Ꞌ":"ꞌ", "Ɥ":"ɥ", "Ꞑ":"ꞑ", "Ꞓ":"ꞓ", "Ꞗ":"ꞗ", "Ꞙ":"ꞙ", "Ꞛ":"ꞛ", "Ꞝ":"ꞝ", "Ꞟ":"ꞟ", "Ꞡ":"ꞡ",
    "Ꞣ":"ꞣ", "Ꞥ":"ꞥ", "Ꞧ":"ꞧ", "Ꞩ":"ꞩ", "Ɦ":"ɦ", "Ɜ":"ɜ", "Ɡ":"ɡ", "Ɬ":"ɬ", "Ɪ":"ɪ", "Ʞ":"ʞ", "Ʇ":"ʇ", "Ʝ":"ʝ", "Ꭓ":"ꭓ", "Ꞵ":"ꞵ", "Ꞷ":"ꞷ", "Ꞹ":"ꞹ",
    "Ꞻ":"ꞻ", "Ꞽ":"ꞽ", "Ꞿ":"ꞿ", "Ꟁ":"ꟁ", "Ꟃ":"ꟃ", "Ꞔ":"ꞔ", "Ʂ":"ʂ", "Ᶎ":"ᶎ", "Ꟈ":"ꟈ", "Ꟊ":"ꟊ", "Ɤ":"ɤ", "Ꟍ":"ꟍ", "꟎":"꟏", "Ꟑ":"ꟑ", "꟒":"ꟓ", "꟔":"ꟕ",
    "Ꟗ":"ꟗ", "Ꟙ":"ꟙ", "Ꟛ":"ꟛ", "Ƛ":"ƛ", "Ꟶ":"ꟶ", "ꭰ":"Ꭰ", "ꭱ":"Ꭱ", "ꭲ":"Ꭲ", "ꭳ":"Ꭳ", "ꭴ":"Ꭴ", "ꭵ":"Ꭵ", "ꭶ":"Ꭶ", "ꭷ":"Ꭷ", "ꭸ":"Ꭸ", "ꭹ":"Ꭹ", "ꭺ":"Ꭺ",
    "ꭻ":"Ꭻ", "ꭼ":"Ꭼ", "ꭽ":"Ꭽ", "ꭾ":"Ꭾ", "ꭿ":"Ꭿ", "ꮀ":"Ꮀ", "ꮁ":"Ꮁ", "ꮂ":"Ꮂ", "ꮃ":"Ꮃ", "ꮄ":"Ꮄ", "ꮅ":"Ꮅ", "ꮆ":"Ꮆ", "ꮇ":"Ꮇ", "ꮈ":"Ꮈ", "ꮉ":"Ꮉ", "ꮊ":"Ꮊ",
    "ꮋ":"Ꮋ", "ꮌ":"Ꮌ", "ꮍ":"Ꮍ", "ꮎ":"Ꮎ", "ꮏ":"Ꮏ", "ꮐ":"Ꮐ", "ꮑ":"Ꮑ", "ꮒ":"Ꮒ", "ꮓ":"Ꮓ", "ꮔ":"Ꮔ", "ꮕ":"Ꮕ", "ꮖ":"Ꮖ", "ꮗ":"Ꮗ", "ꮘ":"Ꮘ", "ꮙ":"Ꮙ", "ꮚ":"Ꮚ",
    "ꮛ":"Ꮛ", "ꮜ":"Ꮜ", "ꮝ":"Ꮝ", "ꮞ":"Ꮞ", "ꮟ":"Ꮟ", "ꮠ":"Ꮠ", "ꮡ":"Ꮡ", "ꮢ":"Ꮢ", "ꮣ":"Ꮣ", "ꮤ":"Ꮤ", "ꮥ":"Ꮥ", "ꮦ":"Ꮦ", "ꮧ":"Ꮧ", "ꮨ":"Ꮨ", "ꮩ":"Ꮩ", "ꮪ":"Ꮪ",
    "ꮫ":"Ꮫ", "ꮬ":"Ꮬ", "ꮭ":"Ꮭ", "ꮮ":"Ꮮ", "ꮯ":"Ꮯ", "ꮰ":"Ꮰ", "ꮱ":"Ꮱ", "ꮲ":"Ꮲ", "ꮳ":"Ꮳ", "ꮴ":"Ꮴ", "ꮵ":"Ꮵ", "ꮶ":"Ꮶ", "ꮷ":"Ꮷ", "ꮸ":"Ꮸ", "ꮹ":"Ꮹ", "ꮺ":"Ꮺ",
    "ꮻ":"Ꮻ", "ꮼ":"Ꮼ", "ꮽ":"Ꮽ", "ꮾ":"Ꮾ", "ꮿ":"Ꮿ", "ﬀ":"ff", "ﬁ":"fi", "ﬂ":"fl", "ﬃ":"ffi", "ﬄ":"ffl", "ﬅ":"st", "ﬆ":"st", "ﬓ":"մն", "ﬔ":"մե", "ﬕ":"մի",
    "ﬖ":"վն", "ﬗ":"մխ", "Ａ":"ａ", "Ｂ":"ｂ", "Ｃ":"ｃ", "Ｄ":"ｄ", "Ｅ":"ｅ", "Ｆ":"ｆ", "Ｇ":"ｇ", "Ｈ":"ｈ", "Ｉ":"ｉ", "Ｊ":"ｊ", "Ｋ":"ｋ", "Ｌ":"ｌ", "Ｍ":"ｍ", "Ｎ":"ｎ",
    "Ｏ":"ｏ", "Ｐ":"ｐ", "Ｑ":"ｑ", "Ｒ":"ｒ", "Ｓ":"ｓ", "Ｔ":"ｔ", "Ｕ":"ｕ", "Ｖ":"ｖ", "Ｗ":"ｗ", "Ｘ":"ｘ", "Ｙ":"ｙ", "Ｚ":"ｚ", "𐐀":"𐐨", "𐐁":"𐐩", "𐐂":"𐐪", "𐐃":"𐐫",
    "𐐄":"𐐬", "𐐅":"𐐭", "𐐆":"𐐮", "𐐇":"𐐯", "𐐈":"𐐰", "𐐉":"𐐱", "𐐊":"𐐲", "𐐋":"𐐳", "𐐌":"𐐴", "𐐍":"𐐵", "𐐎":"𐐶", "𐐏":"𐐷", "𐐐":"𐐸", "𐐑":"𐐹", "𐐒":"𐐺", "𐐓":"𐐻",
    "𐐔":"𐐼", "𐐕":"𐐽", "𐐖":"𐐾", "𐐗":"𐐿", "𐐘":"𐑀", "𐐙":"𐑁", "𐐚":"𐑂", "𐐛":"𐑃", "𐐜":"𐑄", "𐐝":"𐑅", "𐐞":"𐑆", "𐐟":"𐑇", "𐐠":"𐑈", "𐐡":"𐑉", "𐐢":"𐑊", "𐐣":"𐑋",
    "𐐤":"𐑌", "𐐥":"𐑍", "𐐦":"𐑎", "𐐧":"𐑏", "𐒰":"𐓘", "𐒱":"𐓙", "𐒲":"𐓚", "𐒳":"𐓛", "𐒴":"𐓜", "𐒵":"𐓝", "𐒶":"𐓞", "𐒷":"𐓟", "𐒸":"𐓠", "𐒹":"𐓡", "𐒺":"𐓢", "𐒻":"𐓣",
    "𐒼":"𐓤", "𐒽":"𐓥", "𐒾":"𐓦", "𐒿":"𐓧", "𐓀":"𐓨", "𐓁":"𐓩", "𐓂":"𐓪", "𐓃":"𐓫", "𐓄":"𐓬", "𐓅":"𐓭", "𐓆":"𐓮", "𐓇":"𐓯", "𐓈":"𐓰", "𐓉":"𐓱", "𐓊":"𐓲", "𐓋":"𐓳",
    "𐓌":"𐓴", "𐓍":"𐓵", "𐓎":"𐓶", "𐓏":"𐓷", "𐓐":"𐓸", "𐓑":"𐓹", "𐓒":"𐓺", "𐓓":"𐓻", "𐕰":"𐖗", "𐕱":"𐖘", "𐕲":"𐖙", "𐕳":"𐖚", "𐕴":"𐖛", "𐕵":"𐖜", "𐕶":"𐖝", "𐕷":"𐖞",
    "𐕸":"𐖟", "𐕹":"𐖠", "𐕺":"𐖡", "𐕼":"𐖣", "𐕽":"𐖤", "𐕾":"𐖥", "𐕿":"𐖦", "𐖀":"𐖧", "𐖁":"𐖨", "𐖂":"𐖩", "𐖃":"𐖪", "𐖄":"𐖫", "𐖅":"𐖬", "𐖆":"𐖭", "𐖇":"𐖮", "𐖈":"𐖯",
    "𐖉":"𐖰", "𐖊":"𐖱", "𐖌":"𐖳", "𐖍":"𐖴", "𐖎":"𐖵", "𐖏":"𐖶", "𐖐":"𐖷", "𐖑":"𐖸", "𐖒":"𐖹", "𐖔":"𐖻", "𐖕":"𐖼", "𐲀":"𐳀", "𐲁":"𐳁", "𐲂":"𐳂", "𐲃":"𐳃", "𐲄":"𐳄",
    "𐲅":"𐳅", "𐲆":"𐳆", "𐲇":"𐳇", "𐲈":"𐳈", "𐲉":"𐳉", "𐲊":"𐳊", "𐲋":"𐳋", "𐲌":"𐳌", "𐲍":"𐳍", "𐲎":"𐳎", "𐲏":"𐳏", "𐲐":"𐳐", "𐲑":"𐳑", "𐲒":"𐳒", "𐲓":"𐳓", "𐲔":"𐳔",
    "𐲕":"𐳕", "𐲖":"𐳖", "𐲗":"𐳗", "𐲘":"𐳘", "𐲙":"𐳙", "𐲚":"𐳚", "𐲛":"𐳛", "𐲜":"𐳜", "𐲝":"𐳝", "𐲞":"𐳞", "𐲟":"𐳟", "𐲠":"𐳠", "𐲡":"𐳡", "𐲢":"𐳢", "𐲣":"𐳣", "𐲤":"𐳤",
    "𐲥":"𐳥", "𐲦":"𐳦", "𐲧":"𐳧", "𐲨":"𐳨", "𐲩":"𐳩", "𐲪":"𐳪", "𐲫":"𐳫", "𐲬":"𐳬", "𐲭":"𐳭", "𐲮":"𐳮", "𐲯":"𐳯", "𐲰":"𐳰", "𐲱":"𐳱", "𐲲":"𐳲", "𐵐":"𐵰", "𐵑":"𐵱",
    "𐵒":"𐵲", "𐵓":"𐵳", "𐵔":"𐵴", "𐵕":"𐵵", "𐵖":"𐵶", "𐵗":"𐵷", "𐵘":"𐵸", "𐵙":"𐵹", "𐵚":"𐵺", "𐵛":"𐵻", "𐵜":"𐵼", "𐵝":"𐵽", "𐵞":"𐵾", "𐵟":"𐵿", "𐵠":"𐶀", "𐵡":"𐶁",
    "𐵢":"𐶂", "𐵣":"𐶃", "𐵤":"𐶄", "𐵥":"𐶅", "𑢠":"𑣀", "𑢡":"𑣁", "𑢢":"𑣂", "𑢣":"𑣃", "𑢤":"𑣄", "𑢥":"𑣅", "𑢦":"𑣆", "𑢧":"𑣇", "𑢨":"𑣈", "𑢩":"𑣉", "𑢪":"𑣊", "𑢫":"𑣋",
    "𑢬":"𑣌", "𑢭":"𑣍", "𑢮":"𑣎", "𑢯":"𑣏", "𑢰":"𑣐", "𑢱":"𑣑", "𑢲":"𑣒", "𑢳":"𑣓", "𑢴":"𑣔", "𑢵":"𑣕", "𑢶":"𑣖", "𑢷":"𑣗", "𑢸":"𑣘", "𑢹":"𑣙", "𑢺":"𑣚", "𑢻":"𑣛",
    "𑢼":"𑣜", "𑢽":"𑣝", "𑢾":"𑣞", "𑢿":"𑣟", "𖹀":"𖹠", "𖹁":"𖹡", "𖹂":"𖹢", "𖹃":"𖹣", "𖹄":"𖹤", "𖹅":"𖹥", "𖹆":"𖹦", "𖹇":"𖹧", "𖹈":"𖹨", "𖹉":"𖹩", "𖹊":"𖹪", "𖹋":"𖹫",
    "𖹌":"𖹬", "𖹍":"𖹭", "𖹎":"𖹮", "𖹏":"𖹯", "𖹐":"𖹰", "𖹑":"𖹱", "𖹒":"𖹲", "𖹓":"𖹳", "𖹔":"𖹴", "𖹕":"𖹵", "𖹖":"𖹶", "𖹗":"𖹷", "𖹘":"𖹸", "𖹙":"𖹹", "𖹚":"𖹺", "𖹛":"𖹻",
    "𖹜":"𖹼", "𖹝":"𖹽", "𖹞":"𖹾", "𖹟":"𖹿", "𖺠":"𖺻", "𖺡":"𖺼", "𖺢":"𖺽", "𖺣":"𖺾", "𖺤":"𖺿", "𖺥":"𖻀", "𖺦":"𖻁", "𖺧":"𖻂", "𖺨":"𖻃", "𖺩":"𖻄", "𖺪":"𖻅", "𖺫":"𖻆",
    "𖺬":"𖻇", "𖺭":"𖻈", "𖺮":"𖻉", "𖺯":"𖻊", "𖺰":"𖻋", "𖺱":"𖻌", "𖺲":"𖻍", "𖺳":"𖻎", "𖺴":"𖻏", "𖺵":"𖻐", "𖺶":"𖻑", "𖺷":"𖻒", "𖺸":"𖻓", "𞤀":"𞤢", "𞤁":"𞤣", "𞤂":"𞤤",
    "𞤃":"𞤥", "𞤄":"𞤦", "𞤅":"𞤧", "𞤆":"𞤨", "𞤇":"𞤩", "𞤈":"𞤪", "𞤉":"𞤫", "𞤊":"𞤬", "𞤋":"𞤭", "𞤌":"𞤮", "𞤍":"𞤯", "𞤎":"𞤰", "𞤏":"𞤱", "𞤐":"𞤲", "𞤑":"𞤳", "𞤒":"𞤴",
    "𞤓":"𞤵", "𞤔":"𞤶", "𞤕":"𞤷", "𞤖":"𞤸", "𞤗":"𞤹", "𞤘":"𞤺", "𞤙":"𞤻", "𞤚":"𞤼", "𞤛":"𞤽", "𞤜":"𞤾", "𞤝":"𞤿", "𞤞":"𞥀", "𞤟":"𞥁", "𞤠":"𞥂", "𞤡":"𞥃"}'::jsonb;
  begin
    foreach letter in array string_to_array(lower(normalize(title, NFD) collate "C"), null) loop
      folded := folded || coalesce(folds ->> letter, letter);
    end loop;
    return normalize(folded, NFC);
  end;
end
$$;

-- A trigger rather than a generated column: a change of the expression of a generated column rewrites the table and all its indexes.
create function set_title_folded() returns trigger language plpgsql set search_path = public, pg_temp as
$$
begin
  new.title_folded := fold_title(new.title);
  return new;
end
$$;
create trigger envelopes_folded before insert or update of title, title_folded on envelopes for each row
  execute function set_title_folded();
-- Also where rows are loaded or replicated without triggers, as a generated column would be; the search path is empty there.
alter table envelopes enable always trigger envelopes_folded;

-- The trigrams of a title (shorter at its end), each after the last 12 characters of the organisation's id, so that an organisation has posting lists of its
-- own.
create function title_grams(org_id uuid, title_folded text) returns tsvector
  language plpgsql immutable strict parallel safe as
$$
declare
  owner constant text := right(org_id::text, 12);
  grams text[];
begin
  for place in 1..char_length(title_folded) loop
    grams[place] := owner || substr(title_folded, place, 3);
  end loop;
  return array_to_tsvector(grams);
end
$$;

-- What the trigrams of a title have to match where the title contains `part`: one or two letters as the beginning of any trigram, otherwise the part's own
-- trigrams, of a long part a dozen or two. A match may be another title (the same trigrams elsewhere, another organisation of the same last 12 characters),
-- so each title is compared again.
create function title_query(org_id uuid, part text) returns tsquery
  language sql immutable strict parallel safe as
$$
  select string_agg(format(case when char_length(part) < 3 then '''%s'':*' else '''%s''' end,
    replace(replace(right(org_id::text, 12) || substr(part, place, 3), '\', '\\'), '''', '''''')), ' & ')::tsquery
  from greatest(char_length(part) - 2, 1) last, generate_series(1, last, greatest(last / 12, 1)) place
$$;

-- New entries are collected in a list, which every search reads too, before they are merged into the index: a write takes 0.1 ms longer and logs 3 kB more, a
-- third of what merging at once would take. A full list of 1 MB (700 writes) costs a search 0.5 ms, and the write that merges it 40 ms.
create index envelopes_by_title on envelopes using gin (title_grams(org_id, title_folded))
  with (fastupdate = on, gin_pending_list_limit = 1024);
-- No plan uses these statistics, and collecting them takes a second of processor time.
alter index envelopes_by_title alter column 1 set statistics 0;

-- The view reads with the rights of its owner, past row-level security, so that the index can be used; it repeats the policy on envelopes. `is true` keeps
-- other indexes from serving the condition. The subquery evaluates the organisation once for each search, not for each envelope found.
create view searchable_envelopes as
  select id, workspace_id, title_folded, status, labels, created_at, lapses_at, title_grams(org_id, title_folded) as title_grams
  from envelopes
  where (org_id = (select sealwright_org())) is true and (drops_at is null or drops_at > sealwright_now() or lapses_at <= drops_at);
grant select on searchable_envelopes to sealwright_api;

-- Which months may have a title with certain trigrams, so that a walk along the lists skips the months that have none: a part that is frequent only in old
-- titles would otherwise make the walk read all newer ones. One bit for each of 32,768 hashes of trigrams, set when a title of the month has it and
-- never cleared. The bits of a month are the union of its rows, written like the counts (0012_envelope_lists.sql): a title with new trigrams updates a
-- row that no other transaction is changing, or inserts one, and never waits. A new envelope takes 0.1 ms longer, or 0.2 ms with new trigrams.
create table title_months (
  org_id uuid not null references organisations,
  -- Its first day, in UTC.
  month  date not null,
  id     bigint not null,
  grams  bit(32768) not null,
  primary key (org_id, month, id)
);
alter table title_months alter column org_id set statistics 0, alter column grams set statistics 0;
-- Always read whole, and hardly smaller when compressed.
alter table title_months alter column grams set storage plain;
create sequence title_months_ids owned by title_months.id;
alter table title_months enable row level security;
create policy own_organisation on title_months to sealwright_api using (org_id = sealwright_org());
grant select on title_months to sealwright_api;

-- The numbers of the bits of a text: none where it has less than three letters.
create function title_bit_numbers(folded text) returns setof integer
  language sql immutable parallel safe as
$$ select hashtext(substr(folded, start, 3)) & 32767 from generate_series(1, char_length(folded) - 2) start $$;

create function title_bits(numbers integer[]) returns bit(32768)
  language plpgsql immutable strict parallel safe as
$$
declare
  bits bit(32768) := repeat('0', 32768);
  number integer;
begin
  foreach number in array numbers loop
    bits := set_bit(bits, number, 1);
  end loop;
  return bits;
end
$$;

create function title_month(created_at timestamptz) returns date
  language sql immutable strict parallel safe as
$$ select date_trunc('month', created_at at time zone 'UTC')::date $$;

create function record_title_bits(org uuid, in_month date, numbers integer[]) returns void
  language plpgsql security definer set search_path = public, pg_temp as
$$
begin
  if exists (
    select from title_months m
    where m.org_id = org and m.month = in_month and not exists (select from unnest(numbers) number where get_bit(m.grams, number) = 0))
  then return; end if;
  insert into title_months as m
  select org, in_month,
    coalesce(
      (select f.id from title_months f where f.org_id = org and f.month = in_month limit 1 for no key update skip locked),
      nextval('title_months_ids')),
    title_bits(numbers)
  on conflict (org_id, month, id) do update set grams = m.grams | excluded.grams;
end
$$;
revoke execute on function record_title_bits from public;

create function record_added_titles() returns trigger language plpgsql security definer set search_path = public, pg_temp as
$$
begin
  perform record_title_bits(a.org_id, title_month(a.created_at), coalesce(array_agg(p.number) filter (where p.number is not null), '{}'))
  from added a
  left join title_bit_numbers(a.title_folded) p (number) on true
  group by a.org_id, title_month(a.created_at);
  return null;
end
$$;
create trigger envelopes_titled after insert on envelopes referencing new table as added for each statement
  execute function record_added_titles();

create function record_changed_title() returns trigger language plpgsql security definer set search_path = public, pg_temp as
$$
begin
  perform record_title_bits(new.org_id, title_month(new.created_at), array(select title_bit_numbers(new.title_folded)));
  return null;
end
$$;
create trigger envelopes_retitled after update of org_id, title, created_at on envelopes for each row
  when ((old.org_id, old.title, old.created_at) is distinct from (new.org_id, new.title, new.created_at))
  execute function record_changed_title();

-- The periods whose titles may contain a part: consecutive months as one.
create function title_spans(org uuid, part text) returns table (starts_at timestamptz, ends_at timestamptz)
  language plpgsql stable strict parallel safe rows 3 as
$$
declare
  wanted constant bit(32768) := title_bits(array(select title_bit_numbers(part)));
begin
  return query
    select min(p.month)::timestamp at time zone 'UTC', (max(p.month) + interval '1 month') at time zone 'UTC'
    from (
      select m.month, m.month - row_number() over (order by m.month) * interval '1 month' as stretch
      from title_months m
      where m.org_id = org
      group by m.month
      having bit_or(m.grams) & wanted = wanted) p
    group by p.stretch;
end
$$;
