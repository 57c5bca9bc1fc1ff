// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DeployConfig} from "../../../script/DeployConfig.sol";
import {Deployment} from "../../../script/Deployment.sol";
import {DeploymentChecks} from "../../../script/DeploymentChecks.sol";
import {CoreSwap} from "../../../src/CoreSwap.sol";
import {StablecoinDelegate} from "../../../src/StablecoinDelegate.sol";
import {Treasury} from "../../../src/Treasury.sol";
import {TreasuryDelegate} from "../../../src/TreasuryDelegate.sol";
import {NavPriceAdapter} from "../../../src/adapters/NavPriceAdapter.sol";
import {StablecoinDelegateAdmin} from "../../../src/components/StablecoinDelegateAdmin.sol";
import {DeployTest} from "./DeployTest.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {IAccessControlEnumerable} from "@openzeppelin/contracts/access/extensions/IAccessControlEnumerable.sol";
import {ERC1967Utils} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Utils.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice Every check of the verification, made to fail by a drift of what it reads, on top of a deployment that verifies.
/// The drift is a real transaction where one can make it, else another answer of the view or another word of storage.
contract DeployVerificationTest is DeployTest {
    bytes32 private constant INITIALIZABLE_SLOT = 0xf0c57e16840df040f15088dc2f81fe391c3923bec73e23a9662efc9c229c6a00;
    bytes32 private constant USDX = "USDX";
    bytes32 private constant USDY = "USDY";
    bytes32 private constant TRSY = "TRSY";
    bytes32 private constant TBILL = "TBILL";
    bytes32 private constant CREDIT = "CREDIT";

    address private immutable STRANGER = makeAddr("stranger");
    /// @dev Encoded: arrays of structs cannot be copied to storage.
    bytes private encodedConfig;
    Deployment private d;
    address private admin;

    function setUp() public override {
        super.setUp();
        DeployConfig memory config = _example();
        encodedConfig = abi.encode(config);
        d = script.deploy(config, DEPLOYER);
        admin = config.roles.admin;
    }

    function test_Verify_NoDrift_Passes() public view {
        script.verify(_config(), d, DEPLOYER);
    }

    function test_Verify_RoleHeldBySomeoneElse_NamesTheRole() public {
        _assertExtraHolder(address(d.coreSwap), 0, "CoreSwap DEFAULT_ADMIN_ROLE");
        _assertExtraHolder(address(d.coreSwap), keccak256("OPERATOR_ROLE"), "CoreSwap OPERATOR_ROLE");
        _assertExtraHolder(address(d.coreSwap), keccak256("BLACKLISTER_ROLE"), "CoreSwap BLACKLISTER_ROLE");
        _assertExtraHolder(address(d.coreSwap), keccak256("EXTERNAL_PAUSER_ROLE"), "CoreSwap EXTERNAL_PAUSER_ROLE");
        _assertExtraHolder(address(d.treasury), 0, "Treasury DEFAULT_ADMIN_ROLE");
        _assertExtraHolder(address(d.treasury), keccak256("OPERATOR_ROLE"), "Treasury OPERATOR_ROLE");
        _assertExtraHolder(address(d.treasury), keccak256("PAUSER_ROLE"), "Treasury PAUSER_ROLE");
        _assertExtraHolder(address(d.treasury), keccak256("WHITELISTER_ROLE"), "Treasury WHITELISTER_ROLE");
        _assertExtraHolder(address(d.treasury), keccak256("BLACKLISTER_ROLE"), "Treasury BLACKLISTER_ROLE");
        _assertExtraHolder(address(d.treasury), keccak256("MINTER_ROLE"), "Treasury MINTER_ROLE");
        _assertExtraHolder(address(d.treasury), keccak256("BRIDGE_ROLE"), "Treasury BRIDGE_ROLE");
        _assertExtraHolder(address(d.treasuryDelegate), 0, "TRSY delegate's DEFAULT_ADMIN_ROLE");
        _assertExtraHolder(address(d.treasuryDelegate), keccak256("PAUSE_ROLE"), "TRSY delegate's PAUSE_ROLE");
        _assertExtraHolder(address(d.treasuryDelegate), keccak256("OPERATOR_ROLE"), "TRSY delegate's OPERATOR_ROLE");
        _assertExtraHolder(
            address(d.treasuryDelegate), keccak256("RATE_POSTER_ROLE"), "TRSY delegate's RATE_POSTER_ROLE"
        );
        _assertExtraHolder(address(d.delegates[1]), 0, "USDY delegate's DEFAULT_ADMIN_ROLE");
        _assertExtraHolder(address(d.delegates[1]), keccak256("PAUSE_ROLE"), "USDY delegate's PAUSE_ROLE");
        _assertExtraHolder(address(d.navAdapters[1]), 0, "CREDIT's NAV admin");
        _assertExtraHolder(address(d.navAdapters[0]), keccak256("NAV_POSTER_ROLE"), "TBILL's NAV poster");
    }

    function test_Verify_RoleHeldByNobody_NamesTheRole() public {
        bytes32 role = keccak256("CORE_SWAP_CONTRACT");
        bytes memory count = abi.encodeCall(IAccessControlEnumerable.getRoleMemberCount, (role));
        _assertRead(address(d.delegates[0]), count, abi.encode(0), "USDX delegate's CORE_SWAP_CONTRACT");
        _assertCall(
            admin,
            address(d.treasury),
            abi.encodeCall(IAccessControl.revokeRole, (d.treasury.MINTER_ROLE(), address(d.treasuryDelegate))),
            "Treasury MINTER_ROLE"
        );
    }

    function test_Verify_RoleAdminOfAnother_NamesTheRole() public {
        bytes memory query = abi.encodeCall(IAccessControl.getRoleAdmin, (keccak256("MINTER_ROLE")));
        _assertRead(address(d.treasury), query, abi.encode(0), "Treasury MINTER_ROLE's admin");
        query = abi.encodeCall(IAccessControl.getRoleAdmin, (keccak256("BRIDGE_ROLE")));
        _assertRead(address(d.treasury), query, abi.encode(0), "Treasury BRIDGE_ROLE's admin");
    }

    function test_Verify_OtherImplementationOrUnlocked_NamesTheProxy() public {
        address[4] memory proxies =
            [address(d.coreSwap), address(d.treasury), address(d.treasuryDelegate), address(d.delegates[0])];
        string[4] memory names = ["CoreSwap", "Treasury", "TRSY delegate's", "USDX delegate's"];
        for (uint256 i; i < proxies.length; ++i) {
            bytes32 implementation = vm.load(proxies[i], ERC1967Utils.IMPLEMENTATION_SLOT);
            // The words of another proxy's implementation: reads still answer until the check is reached.
            _assertWord(
                proxies[i],
                ERC1967Utils.IMPLEMENTATION_SLOT,
                bytes32(uint256(uint160(_cloneOf(address(uint160(uint256(implementation))))))),
                string.concat(names[i], " implementation")
            );
            _assertWord(
                address(uint160(uint256(implementation))),
                INITIALIZABLE_SLOT,
                0,
                string.concat(names[i], " implementation's lock")
            );
            _assertWord(proxies[i], INITIALIZABLE_SLOT, bytes32(uint256(2)), string.concat(names[i], " initialisation"));
        }
    }

    function test_Verify_CoreSwapDrifts_NamesTheSetting() public {
        CoreSwap core = d.coreSwap;
        _assertCall(admin, address(core), abi.encodeCall(core.setCoreVault, (admin)), "CoreSwap vault");
        _assertCall(admin, address(core), abi.encodeCall(core.setMaxSwapLegs, (11)), "CoreSwap maxSwapLegs");
        _assertCall(admin, address(core), abi.encodeCall(core.setSpreadProtocolTakeRate, (1)), "CoreSwap take rate");
        _assertCall(admin, address(core), abi.encodeCall(core.pause, ()), "CoreSwap paused");
    }

    function test_Verify_TreasuryDrifts_NamesTheSetting() public {
        Treasury token = d.treasury;
        address target = address(token);
        _assertRead(target, abi.encodeCall(token.symbol, ()), abi.encode("OTHER"), "Treasury symbol");
        _assertRead(target, abi.encodeCall(token.totalSupply, ()), abi.encode(1), "Treasury supply");
        _assertCall(admin, target, abi.encodeCall(token.pause, ()), "Treasury paused");
        address[4] memory recipients = [
            _config().roles.vault,
            _config().treasury.lp.rwaCustody,
            _config().treasury.lp.stablecoinCustody,
            _config().stablecoins[0].stablecoinCustody
        ];
        for (uint256 i; i < recipients.length; ++i) {
            _assertCall(
                admin,
                target,
                abi.encodeCall(token.removeFromWhitelist, (recipients[i])),
                string.concat("Treasury whitelisting of ", vm.toString(recipients[i]))
            );
        }
        _assertCall(
            admin, target, abi.encodeCall(token.addToWhitelist, (DEPLOYER)), "Treasury whitelisting of the deployer"
        );
    }

    function test_Verify_TreasuryDelegateDrifts_NamesTheSetting() public {
        TreasuryDelegate delegate = d.treasuryDelegate;
        address target = address(delegate);
        address issuer = _config().treasury.lp.issuerAdmin;
        uint256 day = delegate.getCurrentDay() + 1;
        _assertCall(issuer, target, abi.encodeCall(delegate.setManagementFee, (1)), "TRSY delegate's management fee");
        bytes memory query = abi.encodeCall(delegate.getDailyRate, (type(uint256).max));
        _assertRead(target, query, abi.encode(1, false), "TRSY delegate's initial rate");
        _assertCall(admin, target, abi.encodeCall(delegate.setMaxDailyRate, (1)), "TRSY delegate's maximum daily rate");
        _assertCall(
            admin, target, abi.encodeCall(delegate.setMaxFallbackRateSeconds, (0)), "TRSY delegate's fallback window"
        );
        vm.warp((day + 1) * 1 days);
        _assertCall(
            _config().treasury.ratePoster,
            target,
            abi.encodeCall(delegate.postDailyRate, (day, 0.04e18)),
            "TRSY delegate's first rate day"
        );
    }

    function test_Verify_RwaDrifts_NamesTheSetting() public {
        CoreSwap core = d.coreSwap;
        address target = address(core);
        address token = d.rwaTokens[1];
        bytes memory query = abi.encodeCall(core.rwaInfo, (CREDIT));
        _assertCall(
            admin,
            target,
            abi.encodeCall(core.setRWAAcceptance, (CREDIT, address(0), token, false)),
            "CREDIT's acceptance"
        );
        _assertRead(target, query, abi.encode(true, false, 6, address(0), token), "CREDIT's decimals");
        _assertRead(target, query, abi.encode(true, true, 18, STRANGER, token), "CREDIT's risk delegate");
        _assertRead(target, query, abi.encode(true, false, 18, address(0), STRANGER), "CREDIT's token");
        _assertCall(
            admin, target, abi.encodeCall(core.setRwaPriceAdapter, (CREDIT, STRANGER)), "CREDIT's price adapter"
        );
        _assertCall(
            admin, target, abi.encodeCall(core.setRwaWhitelistAdapter, (CREDIT, STRANGER)), "CREDIT's whitelist adapter"
        );
    }

    function test_Verify_NavAdapterDrifts_NamesTheSetting() public {
        NavPriceAdapter adapter = d.navAdapters[1];
        address target = address(adapter);
        _assertCall(
            _config().rwas[1].navPoster,
            target,
            abi.encodeCall(adapter.postNav, (_config().rwas[1].navWad + 1)),
            "CREDIT's NAV price"
        );
        _assertRead(target, abi.encodeCall(adapter.maxMovePerPostWad, ()), abi.encode(1), "CREDIT's NAV maximum move");
        _assertRead(target, abi.encodeCall(adapter.maxAgeSeconds, ()), abi.encode(1), "CREDIT's NAV maximum age");
    }

    function test_Verify_StablecoinRecordDrifts_NamesTheSetting() public {
        CoreSwap core = d.coreSwap;
        address target = address(core);
        bytes memory query = abi.encodeCall(core.stablecoinInfo, (TRSY));
        address delegate = address(d.treasuryDelegate);
        address token = address(d.treasury);
        _assertRead(target, query, abi.encode(false, true, 18, delegate, token), "TRSY's acceptance");
        _assertRead(target, query, abi.encode(true, false, 18, delegate, token), "TRSY's yield-bearing flag");
        _assertRead(target, query, abi.encode(true, true, 6, delegate, token), "TRSY's decimals");
        _assertRead(target, query, abi.encode(true, true, 18, STRANGER, token), "TRSY's delegate");
        _assertRead(target, query, abi.encode(true, true, 18, delegate, STRANGER), "TRSY's token");
        query = abi.encodeCall(core.stablecoinInfo, (USDY));
        (delegate, token) = (address(d.delegates[1]), d.stablecoinTokens[1]);
        _assertRead(target, query, abi.encode(true, true, 18, delegate, token), "USDY's yield-bearing flag");
    }

    function test_Verify_StablecoinSettingDrifts_NamesTheSetting() public {
        CoreSwap core = d.coreSwap;
        address target = address(core);
        _assertCall(admin, target, abi.encodeCall(core.setStablecoinUSDValue, (USDX, 1)), "USDX's USD value");
        _assertCall(
            admin, target, abi.encodeCall(core.setIssuerPaidProtocolFeeRate, (TRSY, 1)), "TRSY's issuer-paid rate"
        );
        _assertCall(admin, target, abi.encodeCall(core.setProtocolFeeExempt, (USDX, true)), "USDX's fee exemption");
        _assertCall(
            admin,
            target,
            abi.encodeCall(core.configureStablecoinGuardrail, (USDX, STRANGER, 0, false)),
            "USDX's guardrail adapter"
        );
        _assertCall(
            admin,
            target,
            abi.encodeCall(core.configureStablecoinGuardrail, (TRSY, address(0), 1, false)),
            "TRSY's guardrail band"
        );
        bytes memory query = abi.encodeCall(core.stablecoinGuardrailEnabled, (TRSY));
        _assertRead(target, query, abi.encode(true), "TRSY's guardrail switch");
    }

    function test_Verify_DelegateDrifts_NamesTheSetting() public {
        StablecoinDelegate delegate = d.delegates[0];
        address target = address(delegate);
        address issuer = _config().stablecoins[0].issuerAdmin;
        _assertRead(target, abi.encodeCall(delegate.coreSwap, ()), abi.encode(STRANGER), "USDX delegate's CoreSwap");
        _assertRead(
            target, abi.encodeCall(delegate.stablecoinID, ()), abi.encode(USDY), "USDX delegate's stablecoin ID"
        );
        _assertRead(
            target, abi.encodeCall(delegate.stablecoinAddress, ()), abi.encode(STRANGER), "USDX delegate's stablecoin"
        );
        bytes memory query = abi.encodeCall(delegate.issuerAdmins, (issuer));
        _assertRead(target, query, abi.encode(false), "USDX delegate's issuer admin");
        _assertCall(
            issuer,
            target,
            abi.encodeCall(delegate.addIssuerAdmin, (DEPLOYER)),
            "USDX delegate's issuer admin is the deployer"
        );
        _assertCall(
            issuer,
            target,
            abi.encodeCall(delegate.addIssuerAdmin, (admin)),
            "USDX delegate's issuer admin is the admin"
        );
        _assertCall(issuer, target, abi.encodeCall(delegate.pauseCore, ()), "USDX delegate's pause");
        _assertCall(
            admin,
            target,
            abi.encodeCall(delegate.addRWAColdStorageAddress, (STRANGER)),
            "USDX delegate's RWA cold storage"
        );
        _assertCall(
            admin,
            target,
            abi.encodeCall(delegate.addStablecoinColdStorageAddress, (STRANGER)),
            "USDX delegate's stablecoin cold storage"
        );
    }

    function test_Verify_IssuerAdminAddedLater_IsNamed() public {
        address[] memory announced = new address[](2);
        announced[0] = _config().stablecoins[0].issuerAdmin;
        announced[1] = STRANGER;
        script.setAnnounced(announced);
        address issuer = _config().treasury.lp.issuerAdmin;
        // Announced and removed again: none any more.
        script.verifyIssuerAdmins(_config(), d);

        vm.prank(issuer);
        d.treasuryDelegate.addIssuerAdmin(STRANGER);
        string memory what = string.concat("TRSY delegate's issuer admin is ", vm.toString(STRANGER));
        vm.expectRevert(
            abi.encodeWithSelector(
                DeploymentChecks.ValueDiffers.selector, what, bytes32(uint256(1)), bytes32(uint256(0))
            )
        );
        script.verifyIssuerAdmins(_config(), d);
    }

    function test_Verify_CustodyDrifts_NamesTheSetting() public {
        StablecoinDelegate delegate = d.treasuryDelegate;
        address target = address(delegate);
        address issuer = _config().treasury.lp.issuerAdmin;
        address rwaCustody = _config().treasury.lp.rwaCustody;
        address custody = _config().treasury.lp.stablecoinCustody;
        _assertCall(
            issuer, target, abi.encodeCall(delegate.setRWACustodyAddress, (target)), "TRSY delegate's RWA custody"
        );
        _assertCall(
            issuer,
            target,
            abi.encodeCall(delegate.setStablecoinCustodyAddress, (target)),
            "TRSY delegate's stablecoin custody"
        );
        bytes memory query = abi.encodeCall(delegate.custodyAccepted, (rwaCustody));
        _assertRead(target, query, abi.encode(false), "TRSY delegate's RWA custody's consent");
        query = abi.encodeCall(delegate.custodyAccepted, (custody));
        _assertRead(target, query, abi.encode(false), "TRSY delegate's stablecoin custody's consent");

        bytes memory revoke = abi.encodeCall(IERC20.approve, (target, 0));
        string memory what = "TRSY custody's approval of ";
        string memory spender = string.concat(" for ", vm.toString(target));
        address[3] memory tokens = [address(d.treasury), d.stablecoinTokens[0], d.stablecoinTokens[1]];
        for (uint256 i; i < tokens.length; ++i) {
            _assertCall(custody, tokens[i], revoke, string.concat(what, vm.toString(tokens[i]), spender));
        }
        _assertCall(rwaCustody, d.rwaTokens[0], revoke, string.concat(what, vm.toString(d.rwaTokens[0]), spender));
    }

    function test_Verify_ReserveDrifts_NamesTheSetting() public {
        CoreSwap core = d.coreSwap;
        address custody = _config().stablecoins[0].stablecoinCustody;
        _assertCall(
            _config().stablecoins[0].issuerAdmin,
            address(d.delegates[0]),
            abi.encodeCall(StablecoinDelegateAdmin.setAutoLiquidityStablecoinID, (0)),
            "USDX's auto-liquidity"
        );
        _assertCall(
            custody,
            address(core),
            abi.encodeCall(core.adjustSwapInputAllowance, (address(core), USDX, 1, false)),
            "USDX's sweep allowance"
        );
        _assertCall(
            custody,
            address(core),
            abi.encodeCall(core.adjustSwapInputAllowance, (address(core), TRSY, 1, false)),
            "USDX's prefund allowance"
        );
        address[2] memory tokens = [d.stablecoinTokens[0], address(d.treasury)];
        for (uint256 i; i < tokens.length; ++i) {
            string memory pair =
                string.concat(vm.toString(tokens[i]), " for ", vm.toString(address(d.treasuryDelegate)));
            _assertCall(
                custody,
                tokens[i],
                abi.encodeCall(IERC20.approve, (address(d.treasuryDelegate), 0)),
                string.concat("USDX custody's approval of ", pair)
            );
        }
        // Without auto-liquidity CoreSwap may spend nothing.
        address treasuryCustody = _config().treasury.lp.stablecoinCustody;
        _assertCall(
            treasuryCustody,
            address(core),
            abi.encodeCall(core.adjustSwapInputAllowance, (address(core), TRSY, 1, true)),
            "TRSY's sweep allowance"
        );
    }

    function test_Verify_LpTermsDrift_NamesThePair() public {
        StablecoinDelegate delegate = d.delegates[0];
        address target = address(delegate);
        address issuer = _config().stablecoins[0].issuerAdmin;
        address usdy = d.stablecoinTokens[1];
        _assertCall(
            issuer, target, abi.encodeCall(delegate.whitelistRWA, (d.rwaTokens[0], false)), "USDX/TBILL listing"
        );
        _assertCall(
            issuer, target, abi.encodeCall(delegate.setRWADiscountRate, (CREDIT, 1)), "USDX/CREDIT discount rate"
        );
        _assertCall(
            issuer, target, abi.encodeCall(delegate.setRWARedemptionFee, (TBILL, 1)), "USDX/TBILL redemption fee"
        );
        _assertCall(issuer, target, abi.encodeCall(delegate.whitelistStablecoin, (usdy, false)), "USDX/USDY listing");
        _assertCall(
            issuer, target, abi.encodeCall(delegate.setStablecoinAcceptanceFee, (usdy, 1)), "USDX/USDY acceptance fee"
        );
        _assertCall(
            issuer, target, abi.encodeCall(delegate.setStablecoinRedemptionFee, (usdy, 1)), "USDX/USDY redemption fee"
        );
    }

    function test_Verify_TermsOfAnAssetNotDealtIn_NamesThePair() public {
        StablecoinDelegate delegate = d.treasuryDelegate;
        address target = address(delegate);
        address issuer = _config().treasury.lp.issuerAdmin;
        _assertCall(
            issuer, target, abi.encodeCall(delegate.whitelistRWA, (d.rwaTokens[1], true)), "TRSY/CREDIT listing"
        );
        _assertCall(
            issuer, target, abi.encodeCall(delegate.setRWADiscountRate, (CREDIT, 1)), "TRSY/CREDIT discount rate"
        );
        delegate = d.delegates[1];
        _assertCall(
            _config().stablecoins[1].issuerAdmin,
            address(delegate),
            abi.encodeCall(delegate.whitelistStablecoin, (d.stablecoinTokens[0], true)),
            "USDY/USDX listing"
        );
    }

    /// @dev A proxy of its implementation: other address, same answers.
    function _cloneOf(address implementation) private returns (address clone) {
        clone = makeAddr("clone");
        vm.etch(clone, implementation.code);
    }

    function _assertExtraHolder(address target, bytes32 role, string memory what) private {
        _assertCall(admin, target, abi.encodeCall(IAccessControl.grantRole, (role, STRANGER)), what);
    }

    /// @dev Makes a difference by a call, requires the verification to revert naming it, and undoes it.
    function _assertCall(address caller, address target, bytes memory data, string memory what) private {
        uint256 snapshot = vm.snapshotState();
        vm.prank(caller);
        (bool success,) = target.call(data);
        assertTrue(success, what);
        _assertNamed(what);
        vm.revertToState(snapshot);
    }

    function _assertRead(address target, bytes memory query, bytes memory answer, string memory what) private {
        vm.mockCall(target, query, answer);
        _assertNamed(what);
        vm.clearMockedCalls();
    }

    function _assertWord(address target, bytes32 slot, bytes32 word, string memory what) private {
        uint256 snapshot = vm.snapshotState();
        vm.store(target, slot, word);
        _assertNamed(what);
        vm.revertToState(snapshot);
    }

    /// @dev Every error of the verification starts with the name of what differs.
    function _assertNamed(string memory what) private view {
        try script.verify(_config(), d, DEPLOYER) {
            revert(string.concat("verified in spite of ", what));
        } catch (bytes memory reason) {
            bytes memory arguments = new bytes(reason.length - 4);
            for (uint256 i; i < arguments.length; ++i) {
                arguments[i] = reason[i + 4];
            }
            (string memory named,,) = abi.decode(arguments, (string, bytes32, bytes32));
            assertEq(named, what);
        }
    }

    function _config() private view returns (DeployConfig memory) {
        return abi.decode(encodedConfig, (DeployConfig));
    }
}
