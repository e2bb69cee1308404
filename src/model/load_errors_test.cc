// What the loader says about wrong models: one error each, at the right place.
#include <gtest/gtest.h>

#include "model/load.h"

namespace cairn::model {
namespace {

constexpr std::string_view kHead = R"(format = "cairn-model/1"
name = "test"
)";

constexpr std::string_view kBase = R"(format = "cairn-model/1"
name = "test"
[enum]
Color = ["red", "green"]
[shape.Point]
x = "int!"
[table.main]
name = "main"
pk = "PK"
sk = "SK"
type_attr = "kind"
ttl = "ttl"
tenant = { param = "userId", leading = "U#{userId}", claim = "sub" }
index.GSI1 = { pk = "G1PK", sk = "G1SK" }
index.GSI2 = { pk = "G2PK", project = ["pages"] }
[table.main.common]
userId = "id!"
createdAt = { type = "instant", auto = "create" }
[table.flat]
name = "flat"
pk = "id"
discriminate = "key"
[entity.Book]
table = "main"
type = "BOOK"
pk = "U#{userId}"
sk = "BOOK#{bookId}"
index.GSI1 = { pk = "U#{userId}", sk = "{color}#{createdAt}" }
index.GSI2 = { pk = "B#{pages}" }
[entity.Book.attr]
bookId = { type = "ulid", generate = true }
color = "enum:Color"
pages = "int"
pageIds = "list<ref:Page>"
[entity.Page]
table = "main"
type = "PAGE"
pk = "U#{userId}#BOOK#{bookId}"
sk = "PAGE#{number:04d}#{pageId}"
[entity.Page.attr]
bookId = "ref:Book!"
number = { type = "int", min = 0, max = 9999 }
pageId = "id!"
at = "instant"
[entity.Word]
table = "flat"
pk = "WORD#{text}"
[entity.Word.attr]
text = "id!"
)";

constexpr std::string_view kEntity = R"([entity.Extra]
table = "main"
type = "EXTRA"
pk = "U#{userId}"
sk = "EXTRA#{id}"
attr.id = "id!"
)";

// The error stands where the text has an '@', which is not part of it. It is the only one.
struct Case {
  std::string_view text;
  std::string_view message;
};

void ExpectError(std::string_view before, const Case& wrong, const std::string& file = "test.toml") {
  SCOPED_TRACE(wrong.text);
  std::string text = std::string(before).append(wrong.text);
  const size_t mark = text.find('@');
  ASSERT_NE(mark, std::string::npos);
  text.erase(mark, 1);
  Location where{1, 1};
  for (const char c : text.substr(0, mark)) {
    where = c == '\n' ? Location{where.line + 1, 1} : Location{where.line, where.column + 1};
  }
  const auto model = ParseModel(text, file);
  ASSERT_FALSE(model.has_value()) << "was taken as right";
  std::string all;
  for (const Diagnostic& diagnostic : model.error()) all += ToString(diagnostic) + "\n";
  const Diagnostic& first = model.error()[0];
  EXPECT_EQ(model.error().size(), 1u) << all;
  EXPECT_EQ(first.where.line, where.line) << all;
  EXPECT_EQ(first.where.column, where.column) << all;
  EXPECT_NE(first.message.find(wrong.message), std::string::npos) << all;
  EXPECT_EQ(first.file, file);
  EXPECT_EQ(first.code, "");
}

TEST(LoadErrors, BaseIsRight) {
  for (const std::string_view more : {std::string_view(), kEntity}) {
    const auto model = ParseModel(std::string(kBase).append(more), "test.toml");
    if (!model) {
      FAIL() << ToString(model.error()[0]);
    }
  }
}

TEST(LoadErrors, Syntax) {
  const Case cases[] = {
      {"a = @", "end-of-file"},
      {"[table.x]\nname = \"x\"\nname = @\"y\"\n", "redefine"},
      {"x = @2026-11-15\n", "dates and times are written in quotes"},
      {"x = @nan\n", "expected a finite number"},
  };
  for (const Case& wrong : cases) ExpectError(kHead, wrong);
}

TEST(LoadErrors, JsonSyntax) {
  const Case cases[] = {
      {"{\"format\": \"cairn-model/1\",\n  \"name\": \"a\", @\"name\": \"b\"}", "'name' is here twice"},
      {"{\"format\": \"cairn-model/1\",\n  \"name\": @tru}", "not JSON"},
      {"@[1]", "expected a JSON object"},
      {"@17", "expected a JSON object"},
      {"{\"format\": \"cairn-model/1\", \"name\": \"a\"} @{}", "nothing may follow"},
      {"{\"format\": \"cairn-model/1\", \"name\": @18446744073709551615}", "too large"},
      {"{\"format\": \"cairn-model/1\",\n \"name\": \"a\", @\"dco\": \"x\"}", "did you mean 'doc'?"},
  };
  for (const Case& wrong : cases) ExpectError("", wrong, "test.json");
}

TEST(LoadErrors, DeepJsonIsRefused) {
  const std::string deep = "{\"name\":" + std::string(100000, '[');
  EXPECT_FALSE(ParseModel(deep, "test.json"));
  EXPECT_FALSE(ParseModel(deep + std::string(100000, ']') + "}", "test.json"));
  EXPECT_FALSE(ParseModel("a = " + std::string(100000, '['), "test.toml"));
}

TEST(LoadErrors, Document) {
  const Case cases[] = {
      {"@entitty = 1\n", "unknown key 'entitty' in a model; did you mean 'entity'?"},
      {"enum = @3\n", "expected a table, found an integer"},
      {"enum.Color = @3\n", "expected a list of strings or a table, found an integer"},
      {"enum.Color = @[]\n", "expected a list of at least one element"},
      {"enum.Color = [\"red\", @1]\n", "expected a string, found an integer"},
      {"enum.Color = [\"red\", @\"red\"]\n", "'red' is here twice"},
      {"enum.Color = [@\"\"]\n", "expected a string, found an empty one"},
      {"enum.@\"no name\" = [\"a\"]\n", "is no name"},
      {"enum.@Color = { open = true }\n", "an enum needs 'values'"},
      {"enum.Color = { values = [\"a\"], open = @\"yes\" }\n", "expected a boolean, found a string"},
      {"enum.Color = { values = [\"a\"], assumed = @false }\n", "expected a string or true, found false"},
      {"enum.Color = { values = [\"a\"], @opne = true }\n", "did you mean 'open'?"},
      {"shape.P.x = { type = \"ulid\", @generate = true }\n", "unknown key 'generate' in a shape member"},
      {"shape.P.x = @\"shape:Q\"\n", "there is no shape 'Q'"},
      {"shape.P.q = \"shape:Q\"\nshape.Q.@p = \"list<shape:P>\"\n", "shape P contains itself"},
      {"shape.P.@p = \"shape:P\"\n", "shape P contains itself"},
      {"guard.scan = @\"forbidden\"\n",
       "expected 'forbid' or 'allow', found 'forbidden'; did you mean 'forbid'?"},
      {"guard.page_over = @0\n", "must be at least 1, is 0"},
      {"guard.batch_write_chunk = @26\n", "must be at most 25, is 26"},
      {"guard.batch_write_chunk = @2.5\n", "expected an integer, found a fraction"},
      {"@[[accept]]\ncode = \"ISO-1\"\nat = \"*\"\n", "an accept needs 'reason'"},
      {"[[accept]]\ncode = \"ISO-1\"\nat = \"*\"\nreason = @\" \"\n", "the reason must say something"},
  };
  for (const Case& wrong : cases) ExpectError(kHead, wrong);
  ExpectError("", {"@name = \"test\"\n", "a model needs 'format'"});
  ExpectError("", {"format = @\"cairn-model/2\"\nname = \"test\"\n", "expected 'cairn-model/1'"});
  ExpectError("", {"format = \"cairn-model/1\"\nname = @\"My Model\"\n", "small letters"});
}

TEST(LoadErrors, Tables) {
  const Case cases[] = {
      {"table.@t = { pk = \"PK\", discriminate = \"key\" }\n", "a table needs 'name'"},
      {"table.@t = { name = \"abc\", pk = \"PK\" }\n", "a table needs 'type_attr', or discriminate"},
      {"table.@t = { name = \"abc\", pk = \"PK\", type_attr = \"t\", discriminate = \"key\" }\n",
       "do not go together"},
      {"table.t = { name = @\"a b{env}\", pk = \"PK\", discriminate = \"key\" }\n", "a table's name has"},
      {"table.t = { name = @\"x-{region}\", pk = \"PK\", discriminate = \"key\" }\n", "a table's name has"},
      {"table.@t = { name = \"abc\", pk = \"K\", sk = \"K\", discriminate = \"key\" }\n",
       "partition key and the sort key"},
      {"table.t = { name = \"abc\", pk = \"PK\", discriminate = \"key\", index.@GS = { pk = \"a\" } }\n",
       "no name of an index"},
      {"table.t = { name = \"abc\", pk = \"PK\", discriminate = \"key\", index.@GSI1 = { sk = \"a\" } }\n",
       "a table index needs 'pk'"},
      {"table.@t = { name = \"abc\", pk = \"PK\", discriminate = \"key\", index.GSI1 = { pk = \"PK\" } }\n",
       "'PK' is both the key of an index and the partition key"},
      {"table.s = { name = \"abc\", pk = \"PK\", discriminate = \"key\" }\ntable.t = { name = @\"abc\", pk = "
       "\"PK\", "
       "discriminate = \"key\" }\n",
       "'abc' is the name of table s already"},
      {"table.t = { name = \"abc\", pk = \"PK\", discriminate = \"key\", index.GSI1 = { pk = \"A\" }, "
       "index.GSI2 = { pk = "
       "\"A\" } }\nentity.E = { pk = \"E\", index.GSI1 = { pk = \"x\" }, index.GSI2 = @{ pk = \"y\" } }\n",
       "both need the same template"},
      {"table.t = { name = \"abc\", pk = \"PK\", discriminate = \"key\", attr_case = @\"snake\" }\n",
       "expected 'camel', 'pascal', 'upper' or 'lower', found 'snake'"},
      {"table.t = { name = \"abc\", pk = \"PK\", discriminate = \"key\", tenant = { param = \"u\", leading = "
       "@\"U#\", "
       "claim = \"sub\" } }\n",
       "must have {u} once"},
      {"table.t = { name = \"abc\", pk = \"PK\", discriminate = \"key\", tenant = { param = \"u\", leading = "
       "\"U#@{v}\", claim = \"sub\" } }\n",
       "only {u} may stand"},
      {"table.t = { name = \"abc\", pk = \"PK\", discriminate = \"key\", @tenant = { param = \"u\", leading "
       "= "
       "\"U#{u}\" } }\n",
       "a tenant needs 'claim'"},
      {"table.t = { name = \"abc\", pk = \"PK\", discriminate = \"key\", @lock = {} }\n",
       "a table lock needs 'version'"},
  };
  for (const Case& wrong : cases) ExpectError(kHead, wrong);
}

TEST(LoadErrors, Attributes) {
  const Case cases[] = {
      {"attr.x = @5\n", "expected a string or a table, found an integer"},
      {"attr.x = @\"strnig\"\n", "did you mean 'string'?"},
      {"attr.x = @\"enum:Colour\"\n", "there is no enum 'Colour'; did you mean 'Color'?"},
      {"attr.x = @\"list\"\n", "write list<T>"},
      {"attr.x = @\"set<map>\"\n", "a set holds texts or numbers"},
      {"attr.x = @\"list<ref:Boook>\"\n", "there is no entity 'Boook'; did you mean 'Book'?"},
      {"attr.@x = { required = true }\n", "an attribute needs 'type'"},
      {"attr.x = { type = @\"id!\" }\n", "write required = true"},
      {"attr.x = { type = \"string\", @defalt = 1 }\n", "did you mean 'default'?"},
      {"attr.x = { type = \"string\", default = @1 }\n", "x must be"},
      {"attr.x = { type = \"enum:Color\", default = @\"blue\" }\n", "x must be one of red, green"},
      {"attr.x = { type = \"int\", min = 3, default = @1 }\n", "x must be"},
      {"attr.x = { type = \"set<string>\", default = @[] }\n", "a set is never empty"},
      {"attr.x = { type = \"set<string>\", default = @[\"a\", 1] }\n", "texts or numbers, not both"},
      {"attr.x = { type = \"shape:Point\", default = @{ y = 1 } }\n", "x"},
      {"attr.x = { type = \"int\", min = 3, max = @1 }\n", "max is less than min"},
      {"attr.x = { type = \"string\", min = @3 }\n", "min is for numbers, not for string"},
      {"attr.x = { type = \"int\", max_length = @3 }\n", "max_length is for texts"},
      {"attr.x = { type = \"string\", max_length = @-1 }\n", "must be at least 0"},
      {"attr.x = { type = \"string\", min_length = 3, max_length = @1 }\n", "max_length is less than"},
      {"attr.x = { type = \"enum:Color\", in = [\"red\", @\"blue\"] }\n", "'blue' must be one of"},
      {"attr.x = { type = \"string\", pattern = @\"[a\" }\n", "regular expression"},
      {"attr.x = { type = \"id\", generate = @true }\n", "say what to generate for id"},
      {"attr.x = { type = \"int\", generate = @\"ulid\" }\n", "'ulid' cannot be generated for int"},
      {"attr.x = { type = \"ulid\", generate = @\"guid\" }\n",
       "expected 'ulid', 'uuid' or 'now', found 'guid'"},
      {"attr.x = { type = \"ulid\", generate = true, default = @\"01ARZ3NDEKTSV4RRFFQ69G5FAV\" }\n",
       "has no default"},
      {"attr.x = { type = \"string\", auto = @\"create\" }\n", "auto is for times"},
      {"attr.x = { type = \"instant\", auto = \"create\", generate = @\"now\" }\n", "do not go together"},
      {"attr.x = { type = \"string\", counter = @true }\n", "counter is for numbers"},
      {"attr.x = { type = \"id\", prefix = @\"x_\" }\n", "prefix is for uuids"},
      {"attr.x = { type = \"uuid\", prefix = @\"x#\" }\n", "a prefix has letters"},
      {"attr.x = { type = \"int\", escape = @\"percent\" }\n", "escape is for texts"},
      {"attr.@x = { type = \"instant\", after = \"createdOn\" }\n",
       "no attribute 'createdOn'; did you mean 'createdAt'?"},
      {"attr.@x = { type = \"int\", after = \"createdAt\" }\n", "they need the same type"},
      {"attr.@x = { type = \"int\", stored = false }\n", "pk or sk must tell its whole value"},
      {"attr.@x = { type = \"id\", as = \"PK\" }\n", "'PK' is the table's partition key"},
      {"attr.@G1PK = \"id\"\n", "a key of an index"},
      {"attr.@kind = \"string\"\n", "the table's type attribute"},
      {"attr.@x = { type = \"id\", as = \"id\" }\n", "'id' is the stored name of 'id' already"},
      {"attr.@ttl = \"instant\"\n", "its type is epoch_s"},
      {"attr.@\"x-y\" = \"id\"\n", "is no name"},
  };
  for (const Case& wrong : cases) ExpectError(std::string(kBase).append(kEntity), wrong);
}

TEST(LoadErrors, Entities) {
  const Case cases[] = {
      {"[entity.E]\ntable = \"flat\"\npk = \"E#{x}\"\nattr.x = { type = \"id\", stored = @false, as = \"y\" "
       "}\n",
       "has no stored name"},
      {"[entity.@E]\npk = \"x\"\n", "an entity needs 'table' when the model has several"},
      {"[entity.E]\ntable = @\"mian\"\npk = \"x\"\n", "there is no table 'mian'; did you mean 'main'?"},
      {"[entity.@E]\ntable = \"main\"\npk = \"U#{userId}\"\nsk = \"E\"\n", "needs 'type'"},
      {"[entity.@E]\ntable = \"main\"\ntype = \"E\"\npk = \"U#{userId}\"\n", "needs 'sk'"},
      {"[entity.@E]\ntable = \"main\"\ntype = \"E\"\nsk = \"U#{userId}\"\n", "an entity needs 'pk'"},
      {"[entity.E]\ntable = \"flat\"\npk = \"E\"\nsk = @\"E\"\n", "table flat has no sort key"},
      {"[entity.E]\ntable = \"flat\"\npk = \"E\"\ntype = @\"E\"\n", "table flat has no type attribute"},
      {"[entity.E]\ntable = \"main\"\ntype = @\"BOOK\"\npk = \"U#{userId}\"\nsk = \"E\"\n",
       "'BOOK' is the type of Book already"},
      {"[entity.E]\ntable = \"main\"\ntype = @\"A#B\"\npk = \"U#{userId}\"\nsk = \"E\"\n",
       "a type cannot contain"},
      {"[entity.E]\ntable = \"flat\"\npk = \"E#@{x\"\n", "'{' is not closed"},
      {"[entity.E]\ntable = \"flat\"\npk = \"E#@{x}\"\n", "E has no attribute 'x'"},
      {"[entity.E]\ntable = \"flat\"\npk = \"E#{text}#@{txet}\"\nattr.text = \"id\"\n",
       "did you mean 'text'?"},
      {"[entity.E]\ntable = \"flat\"\npk = \"E#@{x:yyyy}\"\nattr.x = \"int\"\n", "the format of {x} fits"},
      {"[entity.E]\ntable = \"flat\"\npk = \"E#@{x:end_of_day}\"\nattr.x = \"date\"\n",
       "upper bound of a pattern"},
      {"[entity.E]\ntable = \"flat\"\npk = \"E#@{x.y}\"\nattr.x = \"date\"\n", "is for steps of patterns"},
      {"[entity.E]\ntable = \"flat\"\npk = \"@{x}{y}\"\nattr.x = \"id\"\nattr.y = \"id\"\n",
       "nothing tells where"},
      {"[entity.E]\ntable = \"main\"\ntype = \"LONGTYPE\"\npk = \"U#{userId}#{kind}#@{y}\"\nsk = \"E\"\n",
       "E has no attribute 'y'"},
      {"[entity.E]\ntable = \"flat\"\npk = \"E#{x}\"\nattr.@x = { type = \"instant\", auto = \"update\" }\n",
       "it cannot change with every update"},
      {"[entity.E]\ntable = \"flat\"\npk = \"E#{x}\"\nattr.@x = { type = \"int\", counter = true }\n",
       "it cannot be a counter"},
      {"[entity.E]\ntable = \"flat\"\npk = \"E\"\nread = @\"anyone\"\n", "scope = \"global\""},
  };
  for (const Case& wrong : cases) ExpectError(kBase, wrong);
  ExpectError(kHead, {"[entity.@E]\npk = \"x\"\n", "the model has no table for it"});
  ExpectError(
      kHead,
      {"[table.t]\nname = \"abc\"\npk = \"K\"\ndiscriminate = \"key\"\ntenant = { param = \"u\", leading "
       "= \"U#{u}\", claim = \"c\" }\n[entity.@E]\npk = \"x\"\n",
       "needs the tenant's attribute 'u'"});
}

TEST(LoadErrors, EntityIndexes) {
  const Case cases[] = {
      {"index.@GSI9 = { pk = \"a\" }\n", "table main has no index 'GSI9'; did you mean 'GSI1'?"},
      {"index.GSI1 = @{ pk = \"a\" }\n", "index GSI1 has a sort key: give 'sk' too"},
      {"index.GSI2 = { pk = \"a\", sk = @\"b\" }\n", "index GSI2 has no sort key"},
      {"index.GSI2 = @true\n", "expected a table or false, found true"},
      {"index.@GSI2 = { when = \"exists(id)\" }\n", "an entity index needs 'pk'"},
      {"index.GSI2 = { pk = \"a#@{idd}\" }\n", "did you mean 'id'?"},
      {"index.GSI2 = { pk = \"a\", when = \"exists(@idd)\" }\n",
       "Extra has no attribute 'idd'; did you mean 'id'?"},
      {"index.GSI2 = { pk = \"a\", when = \"id @= 'x'\" }\n", "expected"},
      {"index.GSI2 = { pk = \"a\", when = \"id == $@x\" }\n", "only keep_if of a pattern has parameters"},
  };
  for (const Case& wrong : cases) ExpectError(std::string(kBase).append(kEntity), wrong);
}

TEST(LoadErrors, EntityRules) {
  const Case cases[] = {
      {"write = @\"mutabel\"\n", "did you mean 'mutable'?"},
      {"lock = @{}\n", "a lock needs either 'version' or 'on'"},
      {"lock = { on = @\"idd\" }\n", "Extra has no attribute 'idd'"},
      {"lock = { version = \"v\" }\nattr.@v = \"string\"\n", "counts versions: its type is int"},
      {"write = \"append\"\nlock = @{ version = \"v\" }\n", "a lock means nothing"},
      {"ttl = { from = @\"id\" }\n", "'id' is no time, but id"},
      {"ttl = { from = @\"xx\" }\n", "Extra has no attribute 'xx'"},
      {"ttl = { from = \"createdAt\", after = @\"90 days\" }\n", "duration"},
      {"ttl = { from = \"createdAt\", after = @\"$keep\" }\n", "a name and a duration"},
      {"@ttl = { after = \"P1D\" }\n", "a ttl needs 'from'"},
      {"unique = [[\"userId\", @\"slug\"]]\n", "Extra has no attribute 'slug'"},
      {"unique = [{ attrs = [\"id\"], @pkk = \"x\", pk = \"X#{id}\", sk = \"X\" }]\n", "did you mean 'pk'?"},
      {"unique = [@{ attrs = [\"id\"], pk = \"X\", sk = \"X\" }]\n", "'id' is not in the guard's key"},
      {"unique = [@{ attrs = [\"id\"], pk = \"X#{id}\" }]\n", "give 'sk' too"},
      {"unique = [@[\"flag\"]]\nattr.flag = \"bool\"\n", "cannot stand in a key"},
      {"require_if = [{ when = \"id == 'x'\", attrs = [@\"y\"] }]\n", "Extra has no attribute 'y'"},
      {"require_if = [{ when = \"@y == 'x'\", attrs = [\"id\"] }]\n", "Extra has no attribute 'y'"},
      {"require_if = [{ when = \"id == 'x'\", attrs = [\"id\"], otherwise = @\"gone\" }]\n",
       "expected 'absent'"},
      {"transitions = { attr = @\"st\", order = [\"a\"] }\n", "Extra has no attribute 'st'"},
      {"transitions = @{ attr = \"id\" }\n", "either 'order' or 'allowed'"},
      {"transitions = { attr = \"c\", order = [\"red\", @\"blue\"] }\nattr.c = \"enum:Color\"\n",
       "'blue' must be one of"},
      {"transitions = { attr = \"c\", order = [\"red\", @\"red\"] }\nattr.c = \"enum:Color\"\n",
       "is here twice"},
      {"transitions = { attr = \"c\", allowed = { @blue = [\"red\"] } }\nattr.c = \"enum:Color\"\n",
       "'blue' must be"},
      {"transitions = { attr = @\"n\", order = [\"red\"] }\nattr.n = \"int\"\n", "texts and enums"},
      {"tombstone = { set = { @gone = true } }\n", "Extra has no attribute 'gone'"},
      {"tombstone = { set = { gone = @1 } }\nattr.gone = \"bool\"\n", "gone must be"},
      {"tombstone = { set = { gone = @\"$now\" } }\nattr.gone = \"bool\"\n", "$now is a time"},
      {"tombstone = { set = @{} }\n", "at least one"},
      {"mirror = { of = @\"Book\" }\n", "expected Entity.attribute"},
      {"mirror = { of = @\"Bok.pageIds\" }\n", "there is no entity 'Bok'; did you mean 'Book'?"},
      {"mirror = { of = @\"Book.pageId\" }\n", "did you mean 'pageIds'?"},
      {"mirror = { of = @\"Book.pages\" }\n", "must be a list of references"},
      {"mirror = { of = @\"Book.pageIds\" }\n", "needs an attribute of type ref:Page"},
      {"head_of = @\"Bok\"\n", "did you mean 'Book'?"},
      {"verify_owner = @\"Book\"\n", "needs an attribute of type ref:Book"},
      {"overflow = { attr = @\"x\", to = \"s3\" }\n", "Extra has no attribute 'x'"},
      {"on_key_conflict = @\"bump_ms\"\n", "needs an instant in the key"},
      {"secret = [@\"x\"]\n", "Extra has no attribute 'x'"},
      {"item_bytes = @0\n", "must be at least 1"},
      {"item_bytes = @500000\n", "must be at most 409600"},
      {"scope = @\"globl\"\n", "did you mean 'global'?"},
  };
  for (const Case& wrong : cases) ExpectError(std::string(kBase).append(kEntity), wrong);
  ExpectError(kBase,
              {"[entity.E]\ntable = \"flat\"\npk = \"E\"\nattr.d = \"date\"\nttl = @{ from = \"d\" }\n",
               "table flat has no ttl attribute"});
}

TEST(LoadErrors, Patterns) {
  const Case cases[] = {
      {"[pattern.@p]\npk = \"U#{userId}\"\n", "it needs 'get' or 'query'"},
      {"[pattern.@p]\nget = \"Book\"\nquery = [\"Book\"]\npk = \"U#{userId}\"\n", "do not go together"},
      {"[pattern.@p]\nquery = [\"Book\"]\n", "a pattern needs 'pk'"},
      {"[pattern.p]\nquery = [@\"Bok\"]\npk = \"U#{userId}\"\n",
       "there is no entity 'Bok'; did you mean 'Book'?"},
      {"[pattern.p]\nquery = [\"Book\", @\"Book\"]\npk = \"U#{userId}\"\n", "is here twice"},
      {"[pattern.p]\nquery = [\"Book\", @\"Word\"]\npk = \"U#{userId}\"\n",
       "Word lives in table flat, not in main"},
      {"[pattern.p]\nquery = @\"Book\"\npk = \"U#{userId}\"\n", "expected a list of strings, found a string"},
      {"[pattern.p]\nquery = [\"Book\"]\npk = @\"USER#{userId}\"\n",
       "'USER#{userId}' can never be the pk of Book, 'U#{userId}'"},
      {"[pattern.p]\nquery = [\"Book\"]\npk = \"U#{userId}\"\nsk.begins = @\"BOK#\"\n",
       "'BOK#' is never a beginning of the sk of Book, 'BOOK#{bookId}'"},
      {"[pattern.p]\nquery = [\"Book\"]\npk = \"U#{userId}\"\nsk.@beginz = \"BOOK#\"\n",
       "did you mean 'begins'?"},
      {"[pattern.p]\nquery = [\"Book\"]\npk = \"U#{userId}\"\nsk = @{ lt = \"BOOK#\", gt = \"BOOK#\" }\n",
       "one operator"},
      {"[pattern.p]\nquery = [\"Book\"]\npk = \"U#{userId}\"\nsk.between = @[\"BOOK#\"]\n",
       "at least 2 elements"},
      {"[pattern.p]\nquery = [\"Book\"]\npk = \"U#{userId}\"\nsk.between = [\"BOOK#\", \"BOOK#\", @\"x\"]\n",
       "two bounds"},
      {"[pattern.@p]\nget = \"Book\"\npk = \"U#{userId}\"\n", "a get needs the whole key"},
      {"[pattern.p]\nget = \"Book\"\npk = \"U#{userId}\"\nsk.@begins = \"BOOK#\"\n",
       "a get needs the whole key"},
      {"[pattern.p]\nget = \"Word\"\npk = \"WORD#{text}\"\nsk = @\"x\"\n", "table flat has no sort key"},
      {"[pattern.p]\nget = \"Book\"\non = @\"GSI1\"\npk = \"U#{userId}\"\nsk = \"x\"\n", "use query"},
      {"[pattern.p]\nquery = [\"Book\"]\non = @\"GSI3\"\npk = \"U#{userId}\"\n", "has no index 'GSI3'"},
      {"[pattern.@p]\nquery = [\"Page\"]\non = \"GSI1\"\npk = \"U#{userId}\"\n", "Page is not in index GSI1"},
      {"[pattern.p]\nquery = [\"Book\"]\non = \"GSI1\"\npk = \"U#{userId}\"\nconsistent = @true\n",
       "never read consistently"},
      {"[pattern.p]\nquery = [\"Page\"]\npk = \"U#{userId}#BOOK#{bookId}\"\nsk.begins = "
       "\"PAGE#@{number}#\"\n",
       "needs the format that {number} has"},
      {"[pattern.p]\nquery = [\"Book\"]\non = \"GSI1\"\npk = \"U#{userId}\"\nsk.between = "
       "[\"{color}#@{from:end_of_day}\", "
       "\"{color}#{to}\"]\n",
       "end_of_day is for upper bounds"},
      {"[pattern.p]\nquery = [\"Book\"]\non = \"GSI1\"\npk = \"U#{userId}\"\nsk.begins = \"{x}#@{x}\"\n",
       "{x} is enum:Color in one place and instant in another"},
      {"[pattern.p]\nquery = [\"Book\"]\npk = \"U#{userId}\"\nproject = [\"pages\", @\"pagse\"]\n",
       "did you mean 'pages'?"},
      {"[pattern.p]\nquery = [\"Book\"]\non = \"GSI2\"\npk = \"B#{pages}\"\nproject = [\"userId\", "
       "@\"color\"]\n",
       "index GSI2 does not project 'color'"},
      {"[pattern.p]\nquery = [\"Book\"]\npk = \"U#{userId}\"\nlimit = { default = @20, max = 10 }\n",
       "greater than max"},
      {"[pattern.p]\nquery = [\"Book\"]\npk = \"U#{userId}\"\nlimit = { max = @2000 }\n",
       "must be at most 1000"},
      {"[pattern.p]\nquery = [\"Book\"]\npk = \"U#{userId}\"\non_exceed = @\"error\"\n",
       "on_exceed needs 'max_items'"},
      {"[pattern.p]\nquery = [\"Book\"]\npk = \"U#{userId}\"\nslo = { p99_ms = @0 }\n", "greater than 0"},
      {"[pattern.p]\nquery = [\"Book\"]\npk = \"U#{userId}\"\norder = @\"down\"\n",
       "expected 'asc' or 'desc'"},
      {"[pattern.p]\nquery = [\"Book\"]\npk = \"U#{userId}\"\nrest = @\"/books\"\n", "expected a route"},
      {"[pattern.p]\nquery = [\"Book\"]\npk = \"U#{userId}\"\nrest = \"GET /books/{@id}\"\n",
       "there is no parameter 'id'"},
      {"[pattern.p]\nquery = [\"Word\"]\npk = \"WORD#{text}\"\nscope = @\"caller\"\n",
       "a table with a tenant"},
      {"[pattern.p]\nquery = [\"Word\"]\npk = \"WORD#{text}\"\nverify_owner = @true\n",
       "a table with a tenant"},
  };
  for (const Case& wrong : cases) ExpectError(kBase, wrong);
}

TEST(LoadErrors, StepsFanoutAndLookback) {
  const std::string steps = std::string(kBase) + "[pattern.p]\n";
  const Case cases[] = {
      {"steps = @[]\n", "a list of at least one element"},
      {"steps = [@{ get = \"Book\", sk = \"BOOK#{id}\" }]\n", "a step needs 'pk'"},
      {"pk = @\"x\"\nsteps = [{ query = [\"Book\"], pk = \"U#{userId}\" }]\n", "belongs into the steps"},
      {"steps = [{ query = [\"Book\"], pk = \"U#{userId}\", sk.begins = \"BOOK#@{b.bookId}\" }]\n",
       "no earlier step is called 'b'"},
      {"steps = [{ query = [\"Book\"], pk = \"U#{userId}\", as = \"b\" }, { query = [\"Page\"], pk = "
       "\"U#{userId}#BOOK#@{b.bookId}\" }]\n",
       "'b' is a query"},
      {"steps = [{ get = \"Book\", pk = \"U#{userId}\", sk = \"BOOK#{id}\", as = \"b\" }, { query = "
       "[\"Page\"], pk = "
       "\"U#{userId}#BOOK#@{b.bokId}\" }]\n",
       "Book has no attribute 'bokId'; did you mean 'bookId'?"},
      {"steps = [{ get = \"Book\", pk = \"U#{userId}\", sk = \"BOOK#{id}\", as = \"b\" }, { query = "
       "[\"Page\"], pk = "
       "\"U#{userId}#BOOK#@{b.pages}\" }]\n",
       "{b.pages} is int"},
      {"steps = [{ query = [\"Book\"], pk = \"U#{userId}\", as = \"b\" }, { query = [\"Book\"], pk = "
       "\"U#{userId}\", as "
       "= @\"b\" }]\n",
       "is called 'b' already"},
      {"query = [\"Book\"]\npk = \"U#{userId}\"\nfanout = { param = @\"w\", each = \"year(from)..year(to)\" "
       "}\n",
       "{w} must stand in pk"},
      {"query = [\"Book\"]\npk = \"U#{userId}\"\nfanout = { param = \"w\", each = @\"week(from)..week(to)\" "
       "}\n",
       "expected the units of time"},
      {"query = [\"Book\"]\npk = \"U#{userId}\"\nlookback = @{ max_duration = \"P1D\", keep_if = \"pages > "
       "1\" }\n",
       "a lower bound"},
      {"query = [\"Book\"]\non = \"GSI1\"\npk = \"U#{userId}\"\nsk.gt = \"red#{from}\"\nlookback = { "
       "max_duration = "
       "@\"long\", keep_if = \"pages > 1\" }\n",
       "duration"},
      {"query = [\"Book\"]\non = \"GSI1\"\npk = \"U#{userId}\"\nsk.gt = \"red#{from}\"\nlookback = { "
       "max_duration = "
       "\"P1D\", keep_if = \"createdAt > $@form\" }\n",
       "there is no parameter 'form'; did you mean 'from'?"},
      {"query = [\"Book\"]\non = \"GSI1\"\npk = \"U#{userId}\"\nsk.gt = \"red#{from}\"\nlookback = { "
       "max_duration = "
       "\"P1D\", keep_if = \"@endsAt > $from\" }\n",
       "no entity read has an attribute 'endsAt'"},
  };
  for (const Case& wrong : cases) ExpectError(steps, wrong);
}

TEST(LoadErrors, AllAreToldInTheOrderOfTheFile) {
  const auto model = ParseModel(std::string(kBase) +
                                    "[pattern.p]\nquery = [\"Bok\"]\nodrer = \"desc\"\npk = \"X#{\"\n"
                                    "[entity.E]\ntable = \"flat\"\npk = \"E#{a}#{b}\"\nwrite = \"often\"\n",
                                "test.toml");
  ASSERT_FALSE(model);
  const Diagnostics& errors = model.error();
  ASSERT_EQ(errors.size(), 6u);
  for (size_t i = 1; i < errors.size(); ++i) EXPECT_LE(errors[i - 1].where, errors[i].where);
  EXPECT_EQ(errors[0].subject, "pattern p");
  EXPECT_EQ(errors[3].subject, "E");
}

TEST(LoadErrors, NamesThatTheRestInterfaceUses) {
  const auto model =
      ParseModel(std::string(kBase) +
                     "[entity.patterns]\ntable = \"flat\"\npk = \"E#{limit}\"\nattr.limit = \"id\"\n"
                     "[pattern.p]\nget = \"patterns\"\npk = \"E#{limit}\"\n",
                 "test.toml");
  ASSERT_FALSE(model);
  ASSERT_EQ(model.error().size(), 2u);
  EXPECT_NE(model.error()[0].message.find("'patterns'"), std::string::npos);
  EXPECT_NE(model.error()[1].message.find("'limit'"), std::string::npos);
}

TEST(LoadErrors, UnknownTypeIsToldOnce) {
  const auto model = ParseModel(std::string(kBase) +
                                    "[entity.E]\ntable = \"flat\"\npk = \"E#{x}\"\nattr.x = \"wrong\"\n"
                                    "[pattern.p]\nget = \"E\"\npk = \"E#{x}\"\n",
                                "test.toml");
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().size(), 1u);
}

TEST(LoadErrors, FileThatCannotBeRead) {
  const auto missing = LoadModel("/nowhere/model.toml");
  ASSERT_FALSE(missing);
  ASSERT_EQ(missing.error().size(), 1u);
  EXPECT_EQ(ToString(missing.error()[0]).find("/nowhere/model.toml"), 0u);
  const auto folder = LoadModel("/");
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().size(), 1u);
  const auto ending = ParseModel("", "model.yaml");
  ASSERT_FALSE(ending);
  EXPECT_EQ(ending.error().size(), 1u);
}

}  // namespace
}  // namespace cairn::model
