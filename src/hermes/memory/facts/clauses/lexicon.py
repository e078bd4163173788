"""The words the reader knows by heart: closed classes, and the few open ones that decide much.

Data only. A word that is not here is judged by its shape and its place (`tokens`).
"""


def _set(words: str) -> frozenset[str]:
    return frozenset(word.replace("_", " ") for word in words.split())


CLOSED = {
    **dict.fromkeys(
        _set(
            "i we you he she it they this that these those there everyone everybody "
            "nobody someone somebody anyone something everything nothing who one"
        ),
        "PRON",
    ),
    **dict.fromkeys(_set("me us him them myself ourselves"), "OBJ"),
    **dict.fromkeys(_set("my our your his her their its"), "POSS"),
    **dict.fromkeys(_set("a an the some any no every each all both another half"), "DET"),
    **dict.fromkeys(
        _set(
            "in on at to from for with by of as into onto over under near off out "
            "about after before between through during without within around across behind per "
            "against like via up down than outside inside towards toward past until till beside "
            "besides upon along amid"
        ),
        "PREP",
    ),
    **dict.fromkeys(
        _set("and or but so because cause cuz since though although while whereas plus nor yet"),
        "CONJ",
    ),
    **dict.fromkeys(_set("what why how when where which whose whom if unless whether"), "WH"),
    **dict.fromkeys(_set("am is are was were be been being"), "BE"),
    **dict.fromkeys(_set("have has had having"), "HAVE"),
    **dict.fromkeys(
        _set("do does did will would can could may might must shall should ca wo"), "AUX"
    ),
    **dict.fromkeys(_set("not never no_longer"), "NEG"),
    **dict.fromkeys(
        _set(
            "just really very also still only now already always often usually "
            "sometimes rarely seldom mostly mainly basically actually literally finally currently "
            "officially here then too again soon ever maybe perhaps probably quite pretty rather "
            "almost even once twice away back together instead anymore today tomorrow yesterday "
            "tonight nowadays lately recently hence therefore otherwise anyway ago later earlier "
            "well even technically normally generally daily weekly monthly yearly honestly "
            "unfortunately apparently obviously definitely totally so-called self-employed "
            "exclusively full-time part-time remotely abroad alone super kinda sorta tho fairly "
            "home long everywhere throughout"
        ),
        "ADV",
    ),
    **dict.fromkeys(
        _set(
            "hi hey hello yo ok okay oh ah ooh wow ugh lol haha hah yes yeah yep "
            "yup no nope nah please pls plz thanks thx ty btw fyi fwiw tbh imo well um uh hmm hm "
            "omg sorry cheers morning evening alright right cool great nice anyways welp god yay "
            "psa note update heads-up reminder ps"
        ),
        "INTJ",
    ),
    **dict.fromkeys(
        _set(
            "one two three four five six seven eight nine ten eleven twelve twenty "
            "thirty forty fifty hundred thousand dozen couple several few many"
        ),
        "NUM",
    ),
}


ADJECTIVES = _set("""
new old good bad big small little young late early long short high low main primary side first
second third last next current former own public private internal external free paid open closed
whole full own same other best worst better worse real simple hard easy fast slow great nice fine
happy sad glad sorry tired busy sick ill ok sure ready done lost stuck confused hungry thirsty
late early angry annoyed excited nervous scared proud lucky crazy insane weird strange odd funny
cute cool awesome amazing terrible awful horrible boring interesting useful useless important
possible impossible available missing broken down red green blue black white wrong right true
false empty cold hot warm wet dry loud quiet cheap expensive rich poor nice ugly pretty clean
dirty safe dangerous strong weak heavy light dark bright deep wide narrow common rare special
normal usual typical strict flaky noisy messy alive dead awake asleep alone single married
divorced engaged pregnant retired vegan vegetarian deaf blind left-handed allergic local remote
live final official
""")

MOMENTARY = _set("""
tired exhausted hungry thirsty busy late sick ill sorry sure ready done lost stuck confused happy
sad glad angry annoyed excited nervous scared worried bored curious afraid aware able unable ok
okay fine good great bad better worse back away out off home here there online offline free awake
asleep drunk cold hot wet dead broken down up red green slow fast flaky noisy gone missing empty
full open closed wrong right true false weird strange odd funny cute cool awesome amazing terrible
awful horrible boring interesting annoying crazy insane mad furious disappointed impressed
surprised shocked amused relieved grateful thankful jealous lazy clueless hopeless useless useful
welcome alive kidding joking serious positive negative certain unsure torn tempted honest biased
stressed overwhelmed swamped behind ahead early alone frustrated new pending failing
passing blocked loud quiet unavailable available running typing calling barking overheating
important possible impossible easy hard simple difficult nice lovely perfect beautiful ugly huge
tiny big small long short high low expensive cheap rich poor okay-ish garbage trash dumb stupid
silly genius brilliant lucky unlucky sleepy dizzy hangry sore upset pumped psyched stoked
""")


NAMES = frozenset({"name", "nickname"})  # attributes: what somebody is called
KIN_ONE = _set("""
wife husband partner spouse girlfriend boyfriend fiance fiancé fiancee fiancée mother father mom
mum mam dad mother-in-law father-in-law stepmother stepfather stepdad stepmom landlord landlady
boss manager supervisor mentor assistant accountant lawyer doctor dentist therapist vet coach
trainer professor advisor adviser tutor teacher deputy ex ex-husband ex-wife cardiologist
physiotherapist psychiatrist dermatologist hairdresser babysitter nanny godmother godfather gp
pm cto ceo cfo coo lead designer architect secretary counsellor counselor
midwife supervisor principal psychologist solicitor notary gf bf hubby agent
physio plumber electrician builder gardener cleaner
""")
KIN_MANY = _set("""
sister brother son daughter kid child baby toddler cousin uncle aunt niece nephew friend colleague
coworker co-worker teammate mentee client customer roommate flatmate housemate student neighbor
neighbour stepson stepdaughter brother-in-law sister-in-law buddy mate twin grandmother
grandfather grandma grandpa gran granny cofounder co-founder godson goddaughter grandson
granddaughter in-law stepbrother stepsister intern contact supplier vendor investor contractor
apprentice youngest oldest eldest
""")
PETS = _set("""
dog cat puppy kitten parrot rabbit hamster horse pet bird hen chicken turtle tortoise snake lizard
goldfish ferret pony goat budgie canary gecko greyhound corgi labrador poodle beagle dachshund
terrier spaniel husky collie retriever shepherd tabby cockatiel rat mouse guinea-pig hedgehog
donkey alpaca llama sheep duck
""") - {"mouse", "shepherd"}
RELATIONS = KIN_ONE | KIN_MANY | PETS
# Whose rent, boss or exam is their own: what they change of such is not the user's.
OTHERS_IN_LIFE = _set("""
wife husband partner spouse girlfriend boyfriend fiance fiancé fiancee fiancée mother father mom
mum mam dad mother-in-law father-in-law stepmother stepfather stepdad stepmom ex ex-husband ex-wife
gf bf hubby
""") | (KIN_MANY - _set("client customer contact supplier vendor investor contractor"))
KIN_PLURAL = {
    **{f"{word}s": word for word in KIN_MANY | PETS},
    **{
        "kids": "kid",
        "children": "child",
        "mice": "mouse",
        "puppies": "puppy",
        "ponies": "pony",
        "babies": "baby",
        "parents": "parent",
        "in-laws": "in-law",
        "wives": "wife",
    },
}

ROLE_NOUNS = _set("""
engineer developer dev programmer designer manager scientist analyst architect consultant teacher
professor lecturer student researcher doctor nurse physician surgeon dentist lawyer attorney
paralegal accountant writer author journalist editor photographer artist musician founder
co-founder cofounder ceo cto cfo coo cpo cmo ciso vp director lead owner marketer recruiter
administrator admin sysadmin sre devops freelancer contractor intern tester qa pm tpm chef cook
baker pilot mechanic electrician plumber carpenter therapist psychologist counselor counsellor
psychiatrist veterinarian vet pharmacist biologist chemist physicist mathematician statistician
economist historian librarian translator interpreter salesperson realtor banker trader investor
auditor coach trainer officer coordinator specialist technician strategist producer filmmaker
illustrator animator streamer blogger entrepreneur undergrad postdoc principal instructor tutor
planner operator maintainer advisor adviser associate assistant clerk secretary controller
bookkeeper farmer firefighter paramedic policeman soldier veteran barista bartender waiter stylist
hairdresser gardener nutritionist dietitian radiologist cardiologist geologist astronomer linguist
sociologist anthropologist copywriter evangelist advocate actuary underwriter broker midwife
optometrist pediatrician paediatrician neurologist solicitor barrister novelist playwright composer
violinist pianist guitarist drummer singer dancer actor actress trainee apprentice postgrad
graduate pensioner retiree caregiver homemaker superintendent foreman surveyor welder machinist
head chief dba beekeeper potter weaver jeweller tailor sailor driver courier cleaner receptionist
archivist curator conservator ecologist botanist zoologist hydrologist meteorologist volunteer
lumberjack fisherman winemaker brewer butcher florist tiler roofer bricklayer mason painter
seamstress cobbler locksmith caretaker janitor dispatcher machinist programmer sommelier
ceramicist goldsmith silversmith bookbinder bookseller publisher agent landscaper arborist
anaesthetist physio physiotherapist osteopath chiropractor optician audiologist radiographer phd
judge magistrate politician councillor mayor priest pastor rabbi imam monk nun diplomat
cartographer geographer seismologist statistician quant fundraiser organiser organizer captain
treasurer chair chairman chairwoman chairperson superuser moderator referee umpire trustee
governor warden supervisor porter dm em preacher trucker lifeguard ranger tuner guide
skipper helmsman steward stewardess conductor machinist mum mom dad mother father parent
grandmother grandfather teenager toddler alto soprano tenor baritone mezzo contralto
""") - _set("toddler teenager")
ROLE_ENDINGS = ("ologist", "ician", "grapher", "keeper", "maker", "wright", "ographer", "ographist")

DIETS = _set("""
vegan vegetarian pescatarian pescetarian gluten-free celiac coeliac lactose-intolerant teetotal
teetotaler keto kosher halal flexitarian paleo veggie
""")
CONDITIONS = _set("""
diabetic diabetes asthma asthmatic epilepsy epileptic migraine migraines adhd add autism autistic
dyslexia dyslexic dyspraxia deaf blind colour-blind colorblind color-blind arthritis hypertension
tinnitus insomnia anxiety depression bipolar crohn's ibs endometriosis eczema psoriasis celiac
coeliac hemophilia haemophilia anaemia anemia hypothyroidism lupus narcolepsy ocd ptsd pcos
sciatica scoliosis vertigo alzheimer alzheimer's parkinson's crohn dementia ms parkinson cancer
left-handed
right-handed ambidextrous pacemaker stoma prosthesis glaucoma hay-fever hayfever intolerance
allergy allergies hearing-impaired wheelchair dialysis rosacea gout hernia fibromyalgia
long-sighted short-sighted near-sighted nearsighted introvert extrovert dyscalculia synesthesia
hyperthyroidism parkinsons pneumonia menopause
""")
TRAITS = _set("""
left-handed right-handed ambidextrous bilingual trilingual retired married divorced widowed
single unemployed self-employed pregnant introverted extroverted autistic dyslexic nonbinary
non-binary trans gay lesbian queer bisexual jewish muslim christian hindu buddhist catholic
atheist vegetarian vegan freelance
""") - {"single"}

LANGUAGES = _set("""
english spanish french german italian portuguese dutch polish russian ukrainian turkish arabic
persian farsi hebrew hindi urdu bengali tamil telugu mandarin cantonese chinese japanese korean
vietnamese thai swedish norwegian danish finnish greek czech hungarian romanian bulgarian serbian
croatian catalan welsh irish swahili indonesian malay tagalog punjabi gujarati marathi esperanto
latin icelandic slovak estonian latvian lithuanian basque galician afrikaans amharic yoruba igbo
zulu nepali sinhala burmese khmer flemish malayalam kannada slovene slovenian albanian armenian
georgian kazakh mongolian somali hausa xhosa maltese gaelic breton frisian luxembourgish
""")
NATIONALITIES = _set("""
american british english scottish welsh irish french german italian spanish portuguese dutch
belgian swiss austrian polish russian ukrainian turkish greek swedish norwegian danish finnish
icelandic czech hungarian romanian bulgarian serbian croatian canadian mexican brazilian
argentinian chilean colombian peruvian indian pakistani bangladeshi nepali chinese taiwanese
japanese korean vietnamese thai filipino indonesian malaysian singaporean australian egyptian
moroccan nigerian kenyan ethiopian ghanaian iranian iraqi israeli lebanese syrian saudi emirati
kiwi estonian latvian lithuanian slovak slovenian scot dane swede finn brit aussie catalan basque
tunisian algerian senegalese ugandan tanzanian zimbabwean venezuelan ecuadorian bolivian cuban
jamaican
""")

# Nouns whose "is" says what stands between two messages, not between two months.
PASSING_NOUNS = _set("""
question problem issue code goal idea guess point bad internet build branch pr function regex list
input output error bug mistake life day night morning evening week weekend mood head brain battery
connection screen query script test tests response answer result results loop array string column
variable file method class container request commit diff patch ticket fault turn opinion
thought thoughts
understanding feeling worry hope excuse throat wallet stomach hair tea coffee lunch dinner
breakfast train bus traffic weather wifi cursor terminal tab window console
candidates options choices alternatives contenders
part thing reason difference way case example option version flight package parcel order delivery
call meeting gut eyes knees back bladder plan take concern advice suggestion
""")

EVENT_NOUNS = _set("""
deadline demo launch release exam test appointment wedding conference talk review audit kickoff
jab vaccination booster scan
kick-off hand-in submission registration freeze code-freeze go-live cutover migration workshop
interview defense defence graduation anniversary offsite retreat retro sprint election hearing
trial surgery operation marathon race tournament concert gig exhibition opening closing move
renewal expiry interview visit trip flight holiday holidays vacation leave presentation pitch
viva viewing inspection ceremony party birthday reunion festival hackathon summit webinar course
class term semester beta alpha rollout contract lease visa passport licence license warranty
subscription permit certificate cert insurance trial tax taxes invoice report thesis paper draft
proposal application grant tender rfp offer milestone training onboarding due_date funeral
christening baptism scan check-up checkup vaccination board board_meeting go-live premiere match
""")

UNITS = _set("""
gb tb mb kb gigs gig gigabytes terabytes ram cores core cpus nodes node machines servers people
employees engineers developers devs users customers clients months weeks days years hours minutes
seconds km kg cm m mm miles percent % replicas shards brokers regions offices stores restaurants
requests rps euros dollars pounds usd eur chf vms vm instances pods tables rows members desks
rooms acres hectares seats licences licenses stars tickets kids children sprints points ms
""")

ANSWER_NOUNS = _set("""
answer answers reply replies response responses summary summaries explanation explanations text
texts comment comments code unit units date dates time times temperature temperatures currency
emoji emojis bullet bullets list lists table tables paragraph paragraphs sentence sentences
heading headings spelling tone style format language english example examples link links
instructions instruction message messages mail mails email emails report reports draft drafts
snippet snippets metric celsius fahrenheit jargon disclaimer disclaimers apology apologies
citation citations source sources indentation indents tabs spaces quote quotes word words prose
markdown html pdf pdfs plain-text recipe recipes price prices number numbers name names british
american grams cups dash dashes caps acronyms abbreviations
""")

ORG_NOUNS = _set("""
university college hospital school bank startup company agency bakery clinic restaurant hotel
council ministry city charity ngo trust museum library lab institute firm studio factory farm
shop nursery bookshop brewery consultancy embassy depot warehouse practice start-up scale-up
scaleup juku theatre theater newspaper magazine publisher insurer retailer supermarket airline
""")
BUSINESS_NOUNS = ORG_NOUNS | _set("""
business team podcast newsletter blog channel store cafe café bar pub gallery workshop label choir
orchestra band club group community kindergarten dojo gym salon garage vineyard orchard
guesthouse department section division unit chapter support operations product platform
""")
FUNCTIONS = _set("""
product sales marketing support compliance ops operations qa frontend backend front-end back-end
security finance hr design legal procurement devops infra infrastructure research accounting
logistics payroll recruiting data analytics it embedded mobile ml ai bookkeeping admin testing
consulting illustration translation photography carpentry plumbing pottery
""")
ENVIRONMENTS = _set("staging prod production dev test qa live preview sandbox uat preprod pre-prod")
